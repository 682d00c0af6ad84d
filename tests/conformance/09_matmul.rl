# Through matrix products of both kinds of operands.
# expect: a = [[-6.0, 20.0, 48.0], [0.0, 56.0, 84.0]]
# expect: b = [[122.0, 128.0], [160.0, 172.0], [198.0, 216.0]]

A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
B = [[1.0, -1.0], [2.0, 0.0], [0.0, 3.0]]
L = sum((A @ B) ^ 2.0)
print "a", grad(L, A)
print "b", grad(L, B)
