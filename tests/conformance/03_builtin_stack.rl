# stack joins tensors along a new axis, by default the last.
# expect: rows = [[1, 2, 3], [4, 5, 6]]
# expect: columns = [[1, 4], [2, 5], [3, 6]]
# expect: last = [[1, 4], [2, 5], [3, 6]]

a = [1, 2, 3]
b = [4, 5, 6]
print "rows", stack([a, b], axis = 0)
print "columns", stack([a, b], axis = 1)
print "last", stack([a, b])
