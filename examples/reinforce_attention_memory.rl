# REINFORCE with attention over its whole past, on bsuite's memory chain: a bit seen first has to be said after `length` steps.
use std.envs.MemoryChain
use std.nn.{CausalAttention, Dense}
use std.algorithms.reinforce

param length        = 20
param iterations    = 200
param num_envs      = 32
param learning_rate = 1e-2
param size          = 16  # of the vectors that attend to each other
param heads         = 2

## What attention makes of all that an episode has shown so far: f32[n] at each step. It runs over the index of time, so that it may read what lies before.
module Remembered(n: int) {
  seen = Dense(3, size)
  past = CausalAttention(size, heads)
  last = Dense(size, n, 0.01)
  apply(obs: f32[3]) over t {
    x[t] = seen(obs)
    last(x + past(x))
  }
}
module Actor() {
  net = Remembered(2)
  apply(obs: f32[3]) over t = Categorical(logits = net(obs))
}

index i in 0..iterations
run = reinforce(MemoryChain(length), Actor(), Remembered(1), iterations, num_envs, length + 1,
  learning_rate)
report "episode return" = run.episode_return[i]
