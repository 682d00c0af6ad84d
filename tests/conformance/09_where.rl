# Through a tensor defined by cases.
# expect: g[t=0] = 2.0
# expect: g[t=1] = 5.0
# expect: g[t=2] = 6.0
# expect: g[t=3] = 5.0

index t in 0..4
x = t + 1.0
y[t] = x ^ 2 where t % 2 == 0
y[t] = 5.0 * x where t % 2 == 1
g = grad(sum(y for t), x)
print g
