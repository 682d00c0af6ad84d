# CartPole-v1 with random actions, one launch a step: the actions of a step turn over with the number of environments that ended in the step before,
# so that no environment is ahead of another. As frameworks run it, beside `rollout_cartpole.rl`, whose steps need not wait for each other.
use std.envs.CartPole

param envs    = 1024
param horizon = 1000

index b in 0..envs
index t in 0..horizon

s[b, 0]    ~ CartPole.reset()
coin[b, t] ~ Discrete(2)
a[b, t]    = (coin + ended[t]) % 2
(s[b, t+1], r, terminated, truncated, last) = CartPole.autoreset(s, a)
ended[0]   = 0
ended[t+1] = sum(i32(terminated[b, t] or truncated[b, t]) for b)

report "episodes" = sum(terminated or truncated for b, t)
report "reward"   = mean(r for b, t)
