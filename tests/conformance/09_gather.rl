# Through a gather: points read twice count twice.
# expect: g[t=0] = 2.0
# expect: g[t=1] = 0.0
# expect: g[t=2] = 4.0
# expect: g[t=3] = 9.0

index t in 0..4
index k in 0..5
x = t + 1.0
j = [3, 0, 3, 2, 3][k] % 4
L = sum((k + 1.0) * x[j] for k)
g = grad(L, x)
print g
