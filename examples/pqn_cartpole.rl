# PQN (Gallici et al., 2024) on CartPole-v1, with the hyper-parameters of CleanRL's pqn.py.
use std.envs.CartPole
use std.nn.{Activation, Dense, LayerNorm, Sequential}
use std.algorithms.pqn

param total_timesteps = 500000
param num_envs        = 4
param num_steps       = 128
param num_minibatches = 4
param update_epochs   = 4
param learning_rate   = 2.5e-4

net = Sequential(
  [Dense(4, 120), LayerNorm(120), Activation(relu), Dense(120, 84), LayerNorm(84), Activation(relu),
    Dense(84, 2)])
run = pqn(CartPole, net, 2, total_timesteps, num_envs, num_steps, num_minibatches, update_epochs,
  learning_rate)

index i in 0..total_timesteps//(num_envs*num_steps)
report "episode return" = run.episode_return[i]
report "episodes"       = run.episodes[i]
