# cumsum along the last axis or another.
# expect: a = [[3.0, 4.0, 6.0], [1.0, 6.0, 6.0]]
# expect: b = [[3.0, 1.0, 2.0], [4.0, 6.0, 2.0]]
# expect: c = [1, 3, 6]

a = [[3.0, 1.0, 2.0], [1.0, 5.0, 0.0]]
print "a", cumsum(a)
print "b", cumsum(a, axis = 0)
print "c", cumsum([1, 2, 3])
