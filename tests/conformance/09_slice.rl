# Through a slice.
# expect: g[t=0] = 0.0
# expect: g[t=1] = 4.0
# expect: g[t=2] = 6.0
# expect: g[t=3] = 8.0
# expect: g[t=4] = 0.0

index t in 0..5
x = t + 1.0
L = sum(x[1..4] ^ 2.0)
g = grad(L, x)
print g
