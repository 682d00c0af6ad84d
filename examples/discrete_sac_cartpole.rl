# Soft actor-critic for discrete actions (Christodoulou, 2019) on CartPole-v1.
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.discrete_sac

param total_timesteps  = 50000
param buffer_size      = 20000
param batch_size       = 64
param learning_starts  = 1000
param update_frequency = 2
param learning_rate    = 1e-3
param hidden           = 64

run = discrete_sac(CartPole, Mlp(4, [hidden, hidden], 2, relu), Mlp(4, [hidden, hidden], 2, relu),
  2,
  total_timesteps, buffer_size, batch_size, learning_starts, update_frequency,
  learning_rate = learning_rate)

param window = 1000  # updates from report to report
index i in 0..total_timesteps//update_frequency//window
report "episode return" = sum(run.returns[window*i+k] for k in 0..window) /
  max(sum(run.episodes[window*i+k] for k in 0..window), 1)
