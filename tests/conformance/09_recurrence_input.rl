# The derivative of the end by the input of each step.
# expect: g[t=0] = 0.2000168106
# expect: g[t=1] = 0.3179117985
# expect: g[t=2] = 0.4089432298
# expect: g[t=3] = 0.6138960145

param w = 0.8
index t in 0..4
u = 0.1 * [1.0, -2.0, 3.0, 4.0][t]
h[0] = 0.5
h[t+1] = tanh(w * h + u)

g = grad(h[4], u)
print g
