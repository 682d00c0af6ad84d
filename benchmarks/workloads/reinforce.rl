# REINFORCE (Williams, 1992) on a number that drifts by the action, with n-step returns; n = steps is the Monte Carlo return.
use std.nn.Mlp
use std.optim.Adam

param iterations = 8
param envs       = 256
param steps      = 1000
param n          = steps
param pixels     = 48
param width      = 64
param gamma      = 0.99
param lr         = 3e-4

index i in 0..iterations
index b in 0..envs
index t in 0..steps

policy Actor(obs: f32[pixels]) -> Normal {
  net = Mlp(pixels, [width, width], 1, tanh, last_gain = 0.01)
  weight log_std: f32[1] = 0.0
  Normal(net(obs), exp(log_std))
}

θ[0]               ~ Actor.init()
x[i, b, 0]         ~ Uniform(-1.0, 1.0)
pi                 = Actor(θ, x + zeros(pixels))
a                  ~ pi
x[i, b, t+1]       = clip(x + 0.05 * clip(a[..][0], -1.0, 1.0), -1.0, 1.0)
r                  = -abs(x[t+1])
G                  = sum(gamma^(k - t) * r[k] for k in t..min(t+n, steps))
loss               = -mean(sum(pi.log_prob(a), axis = -1) * detach(G) for b, t)
opt[0]             = Adam.init(θ[0])
(θ[i+1], opt[i+1]) = Adam.step(θ, opt, grad(loss, θ), lr = lr)

report "reward" = mean(r for b, t)
