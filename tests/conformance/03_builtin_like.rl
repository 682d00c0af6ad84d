# zeros_like and ones_like take shape and type.
# expect: a = [[0, 0], [0, 0]]
# expect: b = [[0.5, 0.5], [0.5, 0.5]]

a = [[1, 2], [3, 4]]
print "a", zeros_like(a)
print "b", ones_like(1.5 * a) / 2.0
