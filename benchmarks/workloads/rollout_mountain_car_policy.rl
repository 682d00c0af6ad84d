# MountainCar-v0 with a policy of two hidden layers of 64; an environment that ends starts again in the same step.
use std.envs.MountainCar
use std.nn.Mlp

param envs    = 1024
param horizon = 500

index b in 0..envs
index t in 0..horizon

policy Actor(obs: f32[2]) -> Categorical {
  net = Mlp(2, [64, 64], 3, tanh)
  Categorical(logits = net(obs))
}

θ       ~ Actor.init()
s[b, 0] ~ MountainCar.reset()
a[b, t] ~ Actor(θ, MountainCar.observe(s))
(s[b, t+1], r, terminated, truncated, last) = MountainCar.autoreset(s, a)

report "episodes" = sum(terminated or truncated for b, t)
report "reward"   = mean(r for b, t)
