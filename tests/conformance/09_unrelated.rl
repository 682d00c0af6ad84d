# The result is 0 where nothing depends on it.
# expect: b = 0.0
# expect: w = [0.0, 0.0]

param a = 1.0
param b = 2.0
w = [a, a]
L = 3.0 * a
print "b", grad(L, b)
print "w", grad(L, w)
