# flatten, swapaxes, expand_dims, squeeze, broadcast_to, flip, take.
# expect: a = [0, 1, 2, 3, 4, 5]
# expect: b = [[0, 3], [1, 4], [2, 5]]
# expect: c = [[1, 2]]
# expect: d = [1, 2]
# expect: f = [[1, 2], [1, 2]]
# expect: g = [[3, 4, 5], [0, 1, 2]]
# expect: h = [[2, 1, 0], [5, 4, 3]]
# expect: i = [[2, 0], [5, 3]]
# expect: j = [[1, 0], [3, 4]]
# expect: k = [[1, 2], [0, 4]]

a = [[0, 1, 2], [3, 4, 5]]
print "a", flatten(a)
print "b", swapaxes(a, 0, 1)
print "c", expand_dims([1, 2], 0)
print "d", squeeze([[1, 2]], 0)
print "f", broadcast_to([1, 2], [2, 2])
print "g", flip(a, axis = 0)
print "h", flip(a)
print "i", take(a, [2, 0], axis = 1)
print "j", tril([[1, 2], [3, 4]])
print "k", triu([[1, 2], [3, 4]])
