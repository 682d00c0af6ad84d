# Recurrent PPO on bsuite's memory chain: a bit seen first has to be said after `length` steps.
use std.envs.MemoryChain
use std.nn.{Dense, GRU}
use std.algorithms.recurrent_ppo

param length          = 30
param total_timesteps = 400000
param num_envs        = 32
param num_steps       = 62
param update_epochs   = 8
param learning_rate   = 3e-3
param hidden          = 32

policy Actor(x: f32[hidden]) -> Categorical {
  head = Dense(hidden, 2, 0.01)
  Categorical(logits = head(x))
}

index i in 0..total_timesteps//(num_envs*num_steps)
run = recurrent_ppo(MemoryChain(length), GRU(3, hidden, update_bias = 3.0), Actor,
  Dense(hidden, 1, 1.0),
  total_timesteps, num_envs, num_steps, update_epochs,
  learning_rate)
report "episode return" = run.episode_return[i]
report "episodes"       = run.episodes[i]
