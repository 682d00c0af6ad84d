# C51 (Bellemare et al., 2017) on CartPole-v1, with the hyper-parameters of CleanRL's c51.py.
use std.envs.CartPole
use std.nn.uniform_mlp
use std.algorithms.c51

param total_timesteps          = 500000
param buffer_size              = 10000
param batch_size               = 128
param learning_starts          = 10000
param train_frequency          = 10
param target_network_frequency = 500
param learning_rate            = 2.5e-4
param gamma                    = 0.99
param n_atoms                  = 101

run = c51(CartPole, uniform_mlp(4, [120, 84], 2 * n_atoms, relu), 2, total_timesteps, buffer_size,
  batch_size,
  learning_starts, train_frequency, target_network_frequency, n_atoms = n_atoms,
  learning_rate = learning_rate,
  gamma = gamma)

param window = 1000  # updates from report to report
index i in 0..total_timesteps//train_frequency//window
report "episode return" = sum(run.returns[window*i+k] for k in 0..window) /
  max(sum(run.episodes[window*i+k] for k in 0..window), 1)
