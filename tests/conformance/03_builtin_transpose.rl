# transpose reverses the axes or takes their order.
# expect: a = [[1, 4], [2, 5], [3, 6]]
# expect: b = [[[0, 6], [2, 8], [4, 10]], [[1, 7], [3, 9], [5, 11]]]
# expect: c = [[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]]

a = [[1, 2, 3], [4, 5, 6]]
b = reshape([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [2, 3, 2])
print "a", transpose(a)
print "b", transpose(b)
print "c", transpose(b, [1, 0, 2])
