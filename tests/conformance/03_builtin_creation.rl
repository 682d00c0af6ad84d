# zeros, ones, full, arange, linspace, eye.
# expect: a = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
# expect: b = [1.0, 1.0]
# expect: c = [[7.5, 7.5], [7.5, 7.5]]
# expect: d = [0, 1, 2, 3]
# expect: f = [2, 5, 8]
# expect: g = [0.0, 0.25, 0.5, 0.75, 1.0]
# expect: h = [[1.0, 0.0], [0.0, 1.0]]

print "a", zeros(2, 3)
print "b", ones(2)
print "c", full([2, 2], 7.5)
print "d", arange(4)
print "f", arange(2, 9, 3)
print "g", linspace(0.0, 1.0, 5)
print "h", eye(2)
