# Pendulum-v1 with a policy of two hidden layers of 64; an environment that ends starts again in the same step.
use std.envs.Pendulum
use std.nn.Mlp

param envs    = 1024
param horizon = 500

index b in 0..envs
index t in 0..horizon

policy Actor(obs: f32[3]) -> Normal {
  net = Mlp(3, [64, 64], 1, tanh)
  weight log_std: f32[1] = 0.0
  Normal(net(obs), exp(log_std))
}

θ       ~ Actor.init()
s[b, 0] ~ Pendulum.reset()
a[b, t] ~ Actor(θ, Pendulum.observe(s))
(s[b, t+1], r, terminated, truncated, last) = Pendulum.autoreset(s, a)

report "episodes" = sum(terminated or truncated for b, t)
report "reward"   = mean(r for b, t)
