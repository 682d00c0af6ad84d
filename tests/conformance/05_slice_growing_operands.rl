# Slices of provably equal length may be operands.
# expect: d[t=0] = 10
# expect: d[t=1] = 28
# expect: d[t=2] = 52
# expect: d[t=3] = 80
# expect: f[t=0] = 20
# expect: f[t=1] = 47
# expect: f[t=2] = 79
# expect: f[t=3] = 114
# expect: g[t=0] = 10
# expect: g[t=1] = 28
# expect: g[t=2] = 52
# expect: g[t=3] = 80

index t in 0..4
x = t + 1
y = 10 - t
d = dot(x[0..t+1], y[0..t+1])
f = sum((x[0..t+1] + 1) * y[0..t+1])
g = x[0..t+1] @ y[0..t+1]
print d; print f; print g
