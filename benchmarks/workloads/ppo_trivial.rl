# PPO (Schulman et al., 2017) with one epoch of one full batch and separate networks, on an environment that costs nothing: a number
# that drifts by the action, seen as an image of copies.
use std.nn.Mlp
use std.optim.Adam

param iterations = 8
param envs       = 512
param steps      = 250
param pixels     = 48  # 3 x 4 x 4
param width      = 64
param layers     = 2
param gamma      = 0.99
param lambda     = 0.95
param lr         = 3e-4

index i in 0..iterations
index b in 0..envs
index t in 0..steps

policy Actor(obs: f32[pixels]) -> Normal {
  net = Mlp(pixels, list(width for k in 0..layers), 1, tanh, last_gain = 0.01)
  weight log_std: f32[1] = 0.0
  Normal(net(obs), exp(log_std))
}

module Critic() {
  net = Mlp(pixels, list(width for k in 0..layers), 1, tanh, last_gain = 1.0)
  apply(obs: f32[pixels]) -> f32 = net(obs)[0]
}

x[i, b, 0] ~ Uniform(-1.0, 1.0)
image[i, b, t in 0..=steps] = x + zeros(pixels)

θ[0]                    ~ Actor.init()
ω[0]                    ~ Critic.init()
critic                  = Critic()
pi                      = Actor(θ, image)
a                       ~ pi
x[i, b, t+1]            = clip(x + 0.05 * clip(a[..][0], -1.0, 1.0), -1.0, 1.0)
r                       = -abs(x[t+1])
v[i, b, t in 0..=steps] = critic(ω, image)

δ              = r + gamma * v[t+1] - v
A              = δ + gamma * lambda * A[t+1]
A[i, b, steps] = 0.0

log_p     = sum(pi.log_prob(a), axis = -1)
ratio     = exp(log_p - detach(log_p))
advantage = detach(A)
target    = detach(A + v)
surrogate = min(ratio * advantage, clip(ratio, 0.8, 1.2) * advantage)
loss      = mean(-surrogate + 0.5 * (v - target)^2 - 0.01 * sum(pi.entropy(), axis = -1) for b, t)

opt_θ[0]             = Adam.init(θ[0])
opt_ω[0]             = Adam.init(ω[0])
(θ[i+1], opt_θ[i+1]) = Adam.step(θ, opt_θ, grad(loss, θ), lr = lr)
(ω[i+1], opt_ω[i+1]) = Adam.step(ω, opt_ω, grad(loss, ω), lr = lr)

report "reward" = mean(r for b, t)
