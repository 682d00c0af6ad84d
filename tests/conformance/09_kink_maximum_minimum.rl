# Also of maximum and minimum.
# expect: a = [0.0, 1.0, 1.0]
# expect: b = [1.0, 0.0, 0.0]
# expect: c = [1.0, 1.0, 0.0]
# expect: d = [0.0, 0.0, 1.0]

a = [1.0, 2.0, 3.0]
b = [2.0, 2.0, 2.0]
print "a", grad(sum(maximum(a, b)), a)
print "b", grad(sum(maximum(a, b)), b)
print "c", grad(sum(minimum(a, b)), a)
print "d", grad(sum(minimum(a, b)), b)
