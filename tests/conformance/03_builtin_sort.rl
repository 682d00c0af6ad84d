# sort along the last axis or another.
# expect: a = [[1.0, 2.0, 3.0], [0.0, 1.0, 5.0]]
# expect: b = [[1.0, 1.0, 0.0], [3.0, 5.0, 2.0]]
# expect: c = [-1, 2, 3]

a = [[3.0, 1.0, 2.0], [1.0, 5.0, 0.0]]
print "a", sort(a)
print "b", sort(a, axis = 0)
print "c", sort([3, -1, 2])
