# reshape keeps the elements in row-major order.
# expect: b = [[1, 2], [3, 4], [5, 6]]
# expect: c = [1, 2, 3, 4, 5, 6]
# expect: d = [[[[1, 2, 3]], [[4, 5, 6]]]]

a = [[1, 2, 3], [4, 5, 6]]
print "b", reshape(a, [3, 2])
print "c", reshape(a, [6])
print "d", reshape(a, [1, 2, 1, 3])
