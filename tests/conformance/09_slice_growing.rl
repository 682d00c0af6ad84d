# Through slices of varying length.
# expect: g[t=0] = 8.0
# expect: g[t=1] = 12.0
# expect: g[t=2] = 12.0
# expect: g[t=3] = 8.0

index t in 0..4
x = t + 1.0
y = sum(x[0..t+1] ^ 2.0)
L = sum(y for t)
g = grad(L, x)
print g
