# Over an index that only the second has: one derivative a point.
# expect: g[t=0] = 2.0
# expect: g[t=1] = 4.0
# expect: g[t=2] = 6.0
# expect: g[t=3] = 8.0

index t in 0..4
x = t + 1.0
L = sum(x ^ 2 for t)
g = grad(L, x)
print g
