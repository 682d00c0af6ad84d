# Deep Q-learning on Freeway of MinAtar by its original rules, with the network and the hyper-parameters of its paper (Young and Tian, 2019, appendix).
use std.envs.minatar.StickyFreeway
use std.nn.{Conv2d, Mlp}
use std.optim.RMSProp
use std.algorithms.dqn

param total_timesteps          = 5000000
param buffer_size              = 100000
param batch_size               = 32
param learning_starts          = 5000
param train_frequency          = 1
param target_network_frequency = 1000
param learning_rate            = 4.8828125e-4  # 2^-11, the best of the paper's sweep for this game
param gamma                    = 0.99
param exploration_steps        = 100000
param filters                  = 16
param hidden                   = 128

module Network() {
  image = Conv2d(7, filters, 3, gain = 1.0, initializer = FanIn, bias = 1.0)
  dense = Mlp(filters * 8 * 8, [hidden], 6, relu, gain = 1.0, last_gain = 1.0, initializer = FanIn,
    bias = 1.0)
  apply(x: f32[7, 10, 10]) = dense(relu(reshape(image(x), [filters * 8 * 8])))
}

run = dqn(StickyFreeway, Network(), 6, total_timesteps, buffer_size, batch_size, learning_starts,
  train_frequency, target_network_frequency, learning_rate = learning_rate, gamma = gamma,
  end_e = 0.1, exploration_fraction = exploration_steps / total_timesteps, clipped_error = true,
  optimizer = RMSProp(decay = 0.95, eps = 0.01, centered = true))

param window = 5000  # updates from report to report
index i in 0..total_timesteps//train_frequency//window
report "episode return" = sum(run.returns[window*i+k] for k in 0..window) /
  max(sum(run.episodes[window*i+k] for k in 0..window), 1)
report "episodes"       = sum(run.episodes[window*i+k] for k in 0..window)
