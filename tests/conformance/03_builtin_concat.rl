# concat joins tensors along an axis, by default the last.
# expect: rows = [[1, 2], [3, 4], [5, 6]]
# expect: columns = [[1, 2, 7], [3, 4, 8]]
# expect: vectors = [1, 2, 3, 4, 5]

a = [[1, 2], [3, 4]]
b = [[5, 6]]
c = [[7], [8]]
print "rows", concat([a, b], axis = 0)
print "columns", concat([a, c])
print "vectors", concat([[1, 2], [3], [4, 5]])
