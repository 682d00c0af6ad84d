# NaN and infinities.
# expect: a = nan
# expect: b = inf
# expect: c = [-inf, 0.0]

param z = 0.0
print "a", z / z
print "b", 1.0 / z
print "c", [-1.0 / z, 0.0]
