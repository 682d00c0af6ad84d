# A reward of 1 for ever is worth 1 / (1 - gamma) = 2 where a time limit's final state counts by its value, and less where the limit is an end:
# at most 1 + 0.5 + 0.25 = 1.75 at the first of three steps, and 1 at the last.
# expect: recurrent PPO = [true, true]
# expect: recurrent DQN = [true, true]
# expect: REINFORCE = [true, true]
# expect: REINFORCE, 2-step = [true, true]
# expect: REINFORCE, to the horizon = [true, true]
use std.algorithms.{recurrent_dqn, recurrent_ppo, reinforce}
use std.nn.{Dense, GRU}
use std.wrappers.TimeLimit

env Steady {
  state { none: i32 }
  action Discrete(2)
  reset { none = 0 }
  step(a) { none' = 0 }
  observations = Box(low = [1.0], high = [1.0])
  observe      = [1.0]
  reward       = 1.0
  terminated   = false
  truncated    = false
}
E = TimeLimit(Steady, 3)

policy Actor(x: f32[1]) -> Categorical {
  head = Dense(1, 2, 0.01)
  Categorical(logits = head(x))
}
## Forgets at once, so that a state's value does not tell how long its episode has lasted.
module Forgetful(n: int) {
  weight scale: f32[n] = 1.0
  initial()   = zeros([n])
  features(h) = h
  apply(x: f32[n], h: f32[n]) = scale * x + 0.0 * h
}
core   = Forgetful(1)
critic = Dense(1, 1)

fn ppo_value(timeout) {
  run = recurrent_ppo(E, core, Actor, critic, 4800, 4, 12, 4, 3e-2, gamma = 0.5, timeout = timeout,
    num_minibatches = 2, anneal_lr = false)
  critic(run.w.critic, core(run.w.core, [1.0], [0.0]))[0]
}
fn dqn_value(timeout) {
  run = recurrent_dqn(E, core, Dense(1, 2), 2, 6000, 500, 16, 6, 1, 100, 10, 1e-2, gamma = 0.5,
    timeout = timeout)
  max(Dense(1, 2)(run.w.head, core(run.w.core, [1.0], [0.0])))
}
fn reinforce_value(F, horizon, n_steps, timeout) {
  run = reinforce(F, Actor, critic, 300, 4, horizon, 3e-2, gamma = 0.5, n_steps = n_steps,
    timeout = timeout)
  critic(run.w.critic, [1.0])[0]
}
fn worth(cut, on) = [cut < 1.75, abs(on - 2.0) < 0.05]

print "recurrent PPO", worth(ppo_value("terminal"), ppo_value("bootstrap"))
print "recurrent DQN", worth(dqn_value("terminal"), dqn_value("bootstrap"))
print "REINFORCE",
  worth(reinforce_value(E, 5, 0, "terminal"), reinforce_value(E, 5, 0, "bootstrap"))
print "REINFORCE, 2-step",
  worth(reinforce_value(E, 5, 2, "terminal"), reinforce_value(E, 5, 2, "bootstrap"))
print "REINFORCE, to the horizon",
  worth(reinforce_value(Steady, 3, 0, "terminal"), reinforce_value(Steady, 3, 0, "bootstrap"))
