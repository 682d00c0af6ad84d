# isinf and isfinite, and trunc.
# expect: a = [true, false, false]
# expect: b = [false, true, false]
# expect: c = [false, false, true]
# expect: d = [-1.0, 1.0]

param z = 0.0
x = [1.0 / z, z, z / z]
print "a", isinf(x)
print "b", isfinite(x)
print "c", isnan(x)
print "d", trunc([-1.7, 1.7])
