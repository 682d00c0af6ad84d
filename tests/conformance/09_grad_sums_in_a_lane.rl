# The adjoint of what is read at a position that the data choose is a sum of its own in each lane.
# expect: g[b=1, c=0] = 0.0
# expect: g[b=1, c=1] = 4.0
# expect: g[b=1, c=2] = 0.0
# expect: g[b=2, c=0] = 0.0
# expect: g[b=2, c=1] = 12.0
# expect: g[b=2, c=2] = 0.0
# expect: g[b=3, c=0] = 0.0
# expect: g[b=3, c=1] = 24.0
# expect: g[b=3, c=2] = 0.0
# expect: g[b=4, c=0] = 0.0
# expect: g[b=4, c=1] = 40.0
# expect: g[b=4, c=2] = 0.0
index b in 1..5
index c in 0..3
n[b]    = 1 % 11
x[b, c] = 1.0 * b + c
r[b]    = x[c: n]^2
L       = sum(r * b for b)
g       = grad(L, x)
print g
