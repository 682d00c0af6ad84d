# The adjoint of z has a piece that holds at no point; its code must not change where y lives.
# expect: L = 1.204375
# expect: g[t=0] = 0.0
# expect: g[t=1] = 0.0
# expect: g[t=2] = 0.0
# expect: g[t=3] = 0.0

index c in -2..2
index t in 0..4
u[c, t] ~ Normal([0.0, 0.5], 0.4)
w[0]     = 0.5
w[t + 1] = 0.5
z[0]     = 0.5
z[t + 1] = tanh(if t % 2 == 1 then u[t - 2, t][1] else 0.25 * w[t + 1] / (3.5 + tanh(tanh(z))))
y[c, 0]     = clip(if c <= -2 then z[c + 2] else 0.1 * c, -1.3, 1.2)
y[c, t + 1] = 0.5
L = 1.0 + mean(y^2 for c, t)
g = grad(L, w)
print L
print g
