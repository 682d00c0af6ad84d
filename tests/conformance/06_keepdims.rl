# keepdims = true keeps the axis with extent 1.
# expect: a = [[6.0], [18.0]]
# expect: b = [[-1.0, 0.0, 1.0], [-2.0, -1.0, 3.0]]

a = [[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]]
print "a", sum(a, axis = 1, keepdims = true)
print "b", a - mean(a, axis = 1, keepdims = true)
