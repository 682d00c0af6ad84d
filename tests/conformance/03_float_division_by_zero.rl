# Division of floats by 0 gives infinities and NaN.
# expect: a = inf
# expect: b = -inf
# expect: c = nan

param z = 0.0
print "a", 1.0 / z
print "b", -1.0 / z
print "c", z / z
