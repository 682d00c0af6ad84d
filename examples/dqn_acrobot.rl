# Deep Q-learning (Mnih et al., 2015) on Acrobot-v1, with the hyper-parameters of CleanRL's dqn.py.
use std.envs.Acrobot
use std.nn.uniform_mlp
use std.algorithms.dqn

param total_timesteps          = 500000
param buffer_size              = 10000
param batch_size               = 128
param learning_starts          = 10000
param train_frequency          = 10
param target_network_frequency = 500
param learning_rate            = 2.5e-4
param gamma                    = 0.99

run = dqn(Acrobot, uniform_mlp(6, [120, 84], 3, relu), 3, total_timesteps, buffer_size, batch_size,
  learning_starts, train_frequency, target_network_frequency, learning_rate = learning_rate,
  gamma = gamma)

param window = 1000  # updates from report to report
index i in 0..total_timesteps//train_frequency//window
report "episode return" = sum(run.returns[window*i+k] for k in 0..window) /
  max(sum(run.episodes[window*i+k] for k in 0..window), 1)
report "episodes"       = sum(run.episodes[window*i+k] for k in 0..window)
