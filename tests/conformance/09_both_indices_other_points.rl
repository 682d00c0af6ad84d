# Reads of other points are not part of the derivative at this point.
# expect: g[i=0] = 0.5
# expect: g[i=1] = 1.0
# expect: g[i=2] = 1.5
# expect: g[i=3] = 2.0

index i in 0..4
x[i in -1..4] = 0.5 * i
L = x * x[i-1] + x
g = grad(L, x)
print g
