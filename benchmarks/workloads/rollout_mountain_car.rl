# MountainCar-v0 with random actions; an environment that ends starts again in the same step.
use std.envs.MountainCar

param envs    = 1024
param horizon = 500

index b in 0..envs
index t in 0..horizon

s[b, 0] ~ MountainCar.reset()
a[b, t] ~ MountainCar.action_space
(s[b, t+1], r, terminated, truncated, last) = MountainCar.autoreset(s, a)

report "episodes" = sum(terminated or truncated for b, t)
report "reward"   = mean(r for b, t)
