# One common index, one of the loss, one of the variable.
# expect: g[i=0, b=0, t=0] = 2.0
# expect: g[i=0, b=0, t=1] = 22.0
# expect: g[i=0, b=1, t=0] = 4.0
# expect: g[i=0, b=1, t=1] = 44.0
# expect: g[i=1, b=0, t=0] = 4.0
# expect: g[i=1, b=0, t=1] = 24.0
# expect: g[i=1, b=1, t=0] = 8.0
# expect: g[i=1, b=1, t=1] = 48.0

index i in 0..2
index b in 0..2
index t in 0..2
x[i, t] = 1.0 + i + 10.0 * t
L[i, b] = sum((b + 1.0) * x ^ 2 for t)
g = grad(L, x)
print g
