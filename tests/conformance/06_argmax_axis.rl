# With a tensor argmax is the position along the axis.
# expect: a = [0, 1, 1]
# expect: b = [0, 1]
# expect: c = [1, 0]
# expect: d = 4

a = [[3, 1, 2], [0, 7, 7]]
print "a", argmax(a, axis = 0)
print "b", argmax(a, axis = 1)
print "c", argmin(a, axis = 1)
print "d", argmax(a)
