# CartPole-v1 with random actions; an environment that ends starts again in the same step.
use std.envs.CartPole

param envs    = 1024
param horizon = 1000

index b in 0..envs
index t in 0..horizon

s[b, 0] ~ CartPole.reset()
a[b, t] ~ Discrete(2)
(s[b, t+1], r, terminated, truncated, last) = CartPole.autoreset(s, a)

report "episodes" = sum(terminated or truncated for b, t)
report "reward"   = mean(r for b, t)
