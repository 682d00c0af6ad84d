# TD3 (Fujimoto et al., 2018) on MountainCarContinuous-v0: noise that goes on in one direction for a while finds the goal.
use std.envs.MountainCarContinuous
use std.nn.{Activation, Sequential, uniform_mlp}
use std.algorithms.td3
use std.algorithms.evaluate

param total_timesteps   = 300000
param buffer_size       = 100000
param batch_size        = 256
param learning_starts   = 256  # a batch
param learning_rate     = 1e-3
param gamma             = 0.99
param exploration_noise = 0.5
param wide              = 400
param narrow            = 300

actor  = Sequential([uniform_mlp(2, [wide, narrow], 1, relu), Activation(tanh)])
critic = uniform_mlp(3, [wide, narrow], 1, relu)
run    = td3(MountainCarContinuous, actor, critic, 1, total_timesteps, buffer_size, batch_size,
  learning_starts, learning_rate, gamma, exploration_noise = exploration_noise, correlated = true)

param window = 1000  # steps from report to report
index i in 0..total_timesteps//window
episode[0] = 0.0
index n in 0..total_timesteps
episode[n+1] = if run.done[n] then 0.0 else episode + run.reward[n]
report "episode return" = sum(episode[window*i+k] + run.reward[window*i+k]
  for k in 0..window if run.done[window*i+k]) / max(sum(run.done[window*i+k] for k in 0..window), 1)
report "episodes"       = sum(run.done[window*i+k] for k in 0..window)
fn best(x) = actor(run.w, x)
report "evaluation return" = evaluate(MountainCarContinuous, best, 100, 999)
