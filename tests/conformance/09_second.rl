# Second and third derivatives.
# expect: g = 32.0
# expect: h = 48.0
# expect: k = 48.0

param x = 2.0
f = x ^ 4
g = grad(f, x)
h = grad(g, x)
k = grad(h, x)
print g; print h; print k
