# By every state of the recurrence: the total derivative.
# expect: g[t=0] = 0.1600134485
# expect: g[t=1] = 0.2543294388
# expect: g[t=2] = 0.3271545838
# expect: g[t=3] = 0.4911168116

param w = 0.8
index t in 0..4
u = 0.1 * [1.0, -2.0, 3.0, 4.0][t]
h[0] = 0.5
h[t+1] = tanh(w * h + u)

g = grad(h[4], h)
print g
