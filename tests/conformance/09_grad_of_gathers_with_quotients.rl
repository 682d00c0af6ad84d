# Two reads of one tensor at points with quotients: the union of what they touch is not simplified to more than that.
index b in 0..4
index c in 0..4
index t in 0..4
u[b, c] = 0.1 * (b - c)
x       = u[b: t, c: t // 2]
y[c]    = max(x[0], x[1]) - u[b: c, c: c % 2]
g       = grad(sum(y for c), u)

# expect: g[b=0, c=0] = -1.0
# expect: g[b=0, c=1] = 0.0
# expect: g[b=0, c=2] = 0.0
# expect: g[b=0, c=3] = 0.0
# expect: g[b=1, c=0] = 4.0
# expect: g[b=1, c=1] = -1.0
# expect: g[b=1, c=2] = 0.0
# expect: g[b=1, c=3] = 0.0
# expect: g[b=2, c=0] = -1.0
# expect: g[b=2, c=1] = 0.0
# expect: g[b=2, c=2] = 0.0
# expect: g[b=2, c=3] = 0.0
# expect: g[b=3, c=0] = 0.0
# expect: g[b=3, c=1] = -1.0
# expect: g[b=3, c=2] = 0.0
# expect: g[b=3, c=3] = 0.0
print g
