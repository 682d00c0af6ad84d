# Over an index that only the loss has: one derivative a point.
# expect: g[b=0] = 0.0
# expect: g[b=1] = 4.0
# expect: g[b=2] = 8.0

param w = 2.0
index b in 0..3
L = w ^ 2 * b
g = grad(L, w)
print g
