# Through a condition on data: only the branch taken counts.
# expect: g[t=0] = 3.0
# expect: g[t=1] = 3.0
# expect: g[t=2] = 1.0
# expect: g[t=3] = 3.0

index t in 0..4
x = t - 1.5
y = if x > 0.0 then x ^ 2 else 3.0 * x
L = sum(y for t)
g = grad(L, x)
print g
