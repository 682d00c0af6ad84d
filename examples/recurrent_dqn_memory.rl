# Deep Q-learning with memory, from replayed sequences (Kapturowski et al., 2019), on bsuite's memory chain.
use std.envs.MemoryChain
use std.nn.{Dense, GRU}
use std.algorithms.recurrent_dqn

param length          = 10
param total_timesteps = 60000
param buffer_size     = 10000
param batch_size      = 32
param sequence        = 16
param burn_in         = 4
param learning_starts = 1000
param train_frequency = 10
param hidden          = 32

run = recurrent_dqn(MemoryChain(length), GRU(3, hidden, update_bias = 2.0), Dense(hidden, 2, 1.0),
  2, total_timesteps, buffer_size, batch_size, sequence, burn_in, learning_starts, train_frequency)

param window = 250  # rounds from report to report
index i in 0..total_timesteps//train_frequency//window
report "episode return" = sum(run.returns[window*i+k] for k in 0..window) /
  max(sum(run.episodes[window*i+k] for k in 0..window), 1)
report "episodes"       = sum(run.episodes[window*i+k] for k in 0..window)
