# Through broadcasting.
# expect: w = [10.0, 14.0, 18.0]
# expect: s = 46.0
# expect: m = [[2.0, 4.0, 6.0], [2.0, 4.0, 6.0]]

w = [1.0, 2.0, 3.0]
s = 2.0
m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
L = sum(m * w * s)
print "w", grad(L, w)
print "s", grad(L, s)
print "m", grad(L, m)
