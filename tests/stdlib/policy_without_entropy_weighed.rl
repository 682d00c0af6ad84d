# An entropy that is weighed needs a formula: the error names the policy, and the way out.
# error: E0211 9:15 the distribution's entropy has a formula
use std.algorithms.ppo
use std.envs.Pendulum
use std.nn.Mlp

policy Actor(obs: f32[3]) -> Independent {
  net = Mlp(3, [8], 1)
  Independent(TanhNormal(net(obs), 1.0))
}
run = ppo(Pendulum, Actor, Mlp(3, [8], 1), 1000, 2, 8, 2, 2)
print sum(run.episodes)
