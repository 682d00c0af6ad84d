# By a tensor over two indices read at shifted points.
# expect: g[i=0, t=0] = 2.0
# expect: g[i=0, t=1] = 4.0
# expect: g[i=0, t=2] = 2.0
# expect: g[i=1, t=0] = 3.0
# expect: g[i=1, t=1] = 6.0
# expect: g[i=1, t=2] = 3.0

index i in 0..2
index t in 0..3
x[i, t] = 1.0 + i + t
L = sum(x[i, k + 1] * x[i, k] for i, k in 0..2)
g = grad(L, x)
print g
