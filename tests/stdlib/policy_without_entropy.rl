# With ent_coef = 0.0 no algorithm asks for its policy's entropy, so that one by TanhNormal, which has no formula for it, learns.
# args: --seed 1
# expect: gained = [true, true, true, true]
use std.algorithms.{a2c, impala, ppo, recurrent_ppo}
use std.nn.{Dense, GRU}

## The best action is 0.5; a step is an episode.
env Target {
  state { none: i32 }
  action Box(low = [-1.0], high = [1.0])
  reset { none = 0 }
  step(a) { none' = 0 }
  observations = Box(low = [1.0], high = [1.0])
  observe      = [1.0]
  reward       = -(a[0] - 0.5)^2
  terminated   = true
  truncated    = false
}
policy Actor(x: f32[1]) -> Independent {
  net = Dense(1, 1, 0.01)
  Independent(TanhNormal(net(x), 0.1))
}
policy Remembering(x: f32[4]) -> Independent {
  net = Dense(4, 1, 0.01)
  Independent(TanhNormal(net(x), 0.1))
}
critic = Dense(1, 1, 0.01)
run1   = a2c(Target, Actor, critic, 6400, 16, 4, 1e-2, ent_coef = 0.0)
run2   = impala(Target, Actor, critic, 6400, 16, 4, 1, 1e-2, ent_coef = 0.0)
run3   = ppo(Target, Actor, critic, 6400, 16, 4, 2, 2, 1e-2, ent_coef = 0.0)
run4   = recurrent_ppo(Target, GRU(1, 4), Remembering, Dense(4, 1), 6400, 16, 4, 2, 1e-2,
  ent_coef = 0.0)
fn gains(run) = run.episode_return[0] < -0.2 and run.episode_return[99] > -0.05
print "gained", [gains(run1), gains(run2), gains(run3), gains(run4)]
