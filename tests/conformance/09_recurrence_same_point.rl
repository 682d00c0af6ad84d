# Both over t: each step's loss by the same step's input.
# expect: g[t=0] = 0.7268619814
# expect: g[t=1] = 0.3266694787
# expect: g[t=2] = 0.6812114293
# expect: g[t=3] = 0.7629164019

param w = 0.8
index t in 0..4
u = 0.1 * [1.0, -2.0, 3.0, 4.0][t]
h[0] = 0.5
h[t+1] = tanh(w * h + u)

L = h[t+1] ^ 2
g = grad(L, u)
print g
