# NaN is unequal to everything and not ordered.
# expect: a = false
# expect: b = true
# expect: c = false
# expect: d = true
# expect: f = true
# expect: g = false

param z = 0.0
n = z / z
print "a", n == n
print "b", n != n
print "c", n < 1.0
print "d", not (n >= 1.0)
print "f", isnan(n)
print "g", isnan(1.0)
