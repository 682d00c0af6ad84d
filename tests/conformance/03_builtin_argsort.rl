# argsort is stable: equal elements keep their order.
# expect: a = [[1, 2, 0], [2, 0, 1]]
# expect: b = [[1, 0, 1], [0, 1, 0]]
# expect: c = [4, 1, 3, 5, 0, 2]

a = [[3.0, 1.0, 2.0], [1.0, 5.0, 0.0]]
print "a", argsort(a)
print "b", argsort(a, axis = 0)
print "c", argsort([2, 1, 2, 1, 0, 1])
