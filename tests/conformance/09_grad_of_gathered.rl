# The derivative with respect to what a gather reads: where two read one point, both get all of it.
# expect: g[t=0] = 6.0
# expect: g[t=1] = 6.0
# expect: g[t=2] = 2.0
# expect: g[t=3] = 1.0
# expect: e = 6.0
index t in 0..4
x[t] = 0.5 * t + 0.5
j[t] = i32(clip(3 - t, 0, 2))
L = sum(x[t: j] ^ 2 for t)
g[t] = grad(L, x[t: j])
print g
v[t] = [0.5, 1.5, 0.25 * t]
M = sum(v[3][j[0]] * v[1][1] for t)
e = grad(M, v[3][j[0]])
print e
