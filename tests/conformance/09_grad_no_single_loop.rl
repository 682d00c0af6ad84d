# The adjoint of a read whose indices determine each other: no loop over one index orders it.
# expect: g = 9.0
index b in 0..2
index c in -2..0
index t in 0..2
param p = 0.5
y[b, begin(c), t] = p
y[b, c + 1, t] = 0.5 * (y[b % 1, c, t] + y[t % 2, c, 1] + y[b: -1 - c, t: 1])
L = sum(y[b, 0, t] for b, t)
g = grad(L, p)
print g
