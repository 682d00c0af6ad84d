# Rainbow (Hessel et al., 2018) on CartPole-v1: double, dueling, prioritized, multi-step and distributional deep Q-learning in one; it explores by ε.
use std.envs.CartPole
use std.nn.DuelingAtoms
use std.algorithms.dqn

param total_timesteps          = 100000
param buffer_size              = 10000
param batch_size               = 128
param learning_starts          = 1000
param train_frequency          = 10
param target_network_frequency = 500
param learning_rate            = 2.5e-4
param gamma                    = 0.99
param n_steps                  = 3
param n_atoms                  = 51
param hidden                   = 120
param alpha                    = 0.5
param beta                     = 0.4
param lag                      = 0  # rounds until an update of the priorities counts
param fanout                   = 16

run = dqn(CartPole, DuelingAtoms(4, 2, n_atoms, [hidden, 84]), 2, total_timesteps, buffer_size,
  batch_size,
  learning_starts, train_frequency, target_network_frequency, learning_rate = learning_rate,
  gamma = gamma, exploration_fraction = 0.3,
  double = true, n_steps = n_steps, prioritized = true, alpha = alpha, beta = beta, lag = lag,
  fanout = fanout, n_atoms = n_atoms,
  v_min = 0.0, v_max = 100.0)

param window = 1000  # updates from report to report
index i in 0..total_timesteps//train_frequency//window
report "episode return" = sum(run.returns[window*i+k] for k in 0..window) /
  max(sum(run.episodes[window*i+k] for k in 0..window), 1)
