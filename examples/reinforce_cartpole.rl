# REINFORCE (Williams, 1992) on CartPole-v1.
use std.envs.CartPole
use std.nn.Mlp
use std.optim.Adam

param iterations = 200  # any param can be set from the command line: iterations=50
param envs       = 64
param horizon    = 500
param gamma      = 0.99
param lr         = 1e-2  # falls to 0

index i in 0..iterations
index b in 0..envs
index t in 0..horizon

policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [64, 64], 2, tanh)
  Categorical(logits = net(obs))
}

θ[0]       ~ Actor.init()
s[i, b, 0] ~ CartPole.reset()
pi         = Actor(θ, CartPole.observe(s))  # domain inferred: i, b, t
a          ~ pi
(s[i, b, t+1], r, terminated, truncated) = CartPole.step(s, a)

alive[i, b, 0]   = 1.0
alive[i, b, t+1] = if terminated or truncated then 0.0 else alive
G                = sum(gamma^(k - t) * r[k] * alive[k] for k in t..horizon)
baseline         = sum(G * alive for b) / max(sum(alive for b), 1.0)  # what the other environments got from step t on

loss               = -mean(pi.log_prob(a) * detach(G - baseline) * alive for b, t)
opt[0]             = Adam.init(θ[0])
(θ[i+1], opt[i+1]) = Adam.step(θ, opt, grad(loss, θ), lr = lr * (1.0 - i / iterations))

report "episode return" = mean(sum(r * alive for t) for b)
