# An analytic policy gradient (Heess et al., 2015) through the physics of Pendulum-v1.
use std.envs.Pendulum
use std.nn.{Activation, Mlp, Sequential}
use std.algorithms.analytic.analytic_policy_gradient

param total_timesteps = 10000
param buffer_size     = 10000
param batch_size      = 64
param learning_starts = 200
param train_frequency = 5
param horizon         = 10
param learning_rate   = 1e-3
param hidden          = 64

actor  = Sequential([Mlp(3, [hidden, hidden], 1, relu, last_gain = 0.1), Activation(tanh)])
critic = Mlp(3, [hidden, hidden], 1, relu)
run    = analytic_policy_gradient(Pendulum, actor, critic, 1, total_timesteps, buffer_size,
  batch_size, learning_starts, train_frequency, horizon, learning_rate, action_scale = 2.0,
  reward_scale = 0.1)

param window = 200  # rounds from report to report
index i in 0..total_timesteps//train_frequency//window
report "episode return" = sum(run.returns[window*i+k] for k in 0..window) /
  max(sum(run.episodes[window*i+k] for k in 0..window), 1)
report "episodes"       = sum(run.episodes[window*i+k] for k in 0..window)
