# Advantage actor-critic (Mnih et al., 2016) on CartPole-v1, with the hyper-parameters of RL Baselines3 Zoo.
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.a2c

param total_timesteps = 500000
param num_envs        = 8
param num_steps       = 5
param learning_rate   = 7e-4
param gamma           = 0.99
param window          = 250  # iterations from report to report

policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [64, 64], 2, tanh, last_gain = 0.01)
  Categorical(logits = net(obs))
}
critic = Mlp(4, [64, 64], 1, tanh)

run = a2c(CartPole, Actor, critic, total_timesteps, num_envs, num_steps, learning_rate, gamma)

index i in 0..total_timesteps//(num_envs*num_steps*window)
report "episode return" = sum(run.episode_return[window*i+k] * run.episodes[window*i+k]
  for k in 0..window) / max(sum(run.episodes[window*i+k] for k in 0..window), 1)
