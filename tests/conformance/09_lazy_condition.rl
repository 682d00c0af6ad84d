# Through a condition on indices.
# expect: g[t=0] = 4.0
# expect: g[t=1] = 4.0
# expect: g[t=2] = 6.0
# expect: g[t=3] = 3.0

index t in 0..4
x[t] = t + 1.0
y = if t == 0 then 2.0 * x else x * x[t-1]
L = sum(y for t)
g = grad(L, x)
print g
