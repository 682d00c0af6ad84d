# Deep Q-learning (Mnih et al., 2015) on MountainCar-v0, with the hyper-parameters of RL Baselines3 Zoo.
use std.envs.MountainCar
use std.nn.uniform_mlp
use std.algorithms.dqn
use std.algorithms.evaluate

param total_timesteps          = 120000
param buffer_size              = 10000
param batch_size               = 128
param learning_starts          = 1000
param train_frequency          = 16
param gradient_steps           = 8
param target_network_frequency = 600
param learning_rate            = 4e-3
param gamma                    = 0.98
param hidden                   = 256
param evaluation_frequency     = 10000  # steps between the evaluations that choose the best weights

net = uniform_mlp(2, [hidden, hidden], 3, relu)
# The greedy policy of some weights, in that many episodes.
fn score(w, episodes) {
  fn act(x) = argmax(net(w, x), axis = -1)
  evaluate(MountainCar, act, episodes, 200)
}
fn in_short(w) = score(w, 10)
run = dqn(MountainCar, net, 3, total_timesteps, buffer_size,
  batch_size, learning_starts, train_frequency, target_network_frequency, gradient_steps,
  learning_rate, gamma, end_e = 0.07, exploration_fraction = 0.2, clipped_error = true,
  max_grad_norm = 10.0, evaluation_frequency = evaluation_frequency, score = in_short)

param window = 250  # rounds from report to report
index i in 0..total_timesteps//train_frequency//window
report "episode return" = sum(run.returns[window*i+k] for k in 0..window) /
  max(sum(run.episodes[window*i+k] for k in 0..window), 1)
report "episodes"       = sum(run.episodes[window*i+k] for k in 0..window)

report "evaluation return" = score(run.best, 100)
