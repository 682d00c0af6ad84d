# PPO with memory (Schulman et al., 2017; Hausknecht and Stone, 2015), several discrete actions and masks at once: a lock's two digits are shown at an
# episode's first step and have to be entered at its last. One of three digits is illegal at each step, which the observation says: it is never drawn.
use std.nn.{Dense, GRU}
use std.algorithms.recurrent_ppo

param total_timesteps = 48000
param num_envs        = 32
param num_steps       = 15
param update_epochs   = 4
param learning_rate   = 1e-2
param hidden          = 16

## Two digits, 0 or 1, are shown once; to enter them at the step `length` gives half a point each. Entering an illegal digit costs a point.
env Lock(length: int = 3) {
  state { digits: i32[2], illegal: i32, at: i32 }
  action MultiDiscrete(zeros([2, 3]))
  reset {
    drawn   ~ Bernoulli(zeros([2]) + 0.5)
    digits  = i32(drawn)
    illegal = 2
    at      = 0
  }
  step(a) {
    other    ~ UniformInt(0, 3)
    digits'  = digits
    illegal' = if at + 2 == length then 2 else other
    at'      = at + 1
  }
  observe    = concat(if at == 0 then f32(digits) else zeros([2]), f32(arange(3) != illegal))
  reward     = (if at' == length then 0.5 * f32(sum(a == digits)) else 0.0) -
    f32(sum(a == illegal))
  terminated = at' == length
  truncated  = false
}

## A GRU beside which the mask of the observation passes on unchanged: the state is both.
module Core() {
  cell = GRU(5, hidden)
  initial()           = zeros([hidden + 3])
  features(h)         = h
  apply(x: f32[5], h) = concat(cell(x, h[0..hidden]), x[2..5])
}
policy Actor(x: f32[hidden+3]) -> MultiDiscrete {
  head = Dense(hidden, 6, 0.01)
  MultiDiscrete(reshape(head(x[0..hidden]), [2, 3]),
    broadcast_to(expand_dims(x[hidden..hidden+3] > 0.5, 0), [2, 3]))
}
module Critic() {
  head = Dense(hidden, 1)
  apply(x: f32[hidden+3]) = head(x[0..hidden])
}

index i in 0..total_timesteps//(num_envs*num_steps)
run = recurrent_ppo(Lock, Core(), Actor, Critic(), total_timesteps, num_envs, num_steps,
  update_epochs, learning_rate)
report "episode return" = run.episode_return[i]
report "episodes"       = run.episodes[i]
