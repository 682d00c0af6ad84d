# A loss at every step.
# expect: g = 1.847322291

param w = 0.8
index t in 0..4
u = 0.1 * [1.0, -2.0, 3.0, 4.0][t]
h[0] = 0.5
h[t+1] = tanh(w * h + u)

L = sum(h[k] ^ 2 for k in 1..5)
g = grad(L, w)
print g
