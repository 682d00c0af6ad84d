# Back-propagation through time.
# expect: g = 0.5667700969

param w = 0.8
index t in 0..4
u = 0.1 * [1.0, -2.0, 3.0, 4.0][t]
h[0] = 0.5
h[t+1] = tanh(w * h + u)

g = grad(h[4], w)
print g
