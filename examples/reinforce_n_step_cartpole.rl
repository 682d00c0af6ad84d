# REINFORCE with n-step returns on CartPole-v1; n_steps=0 makes it Monte Carlo.
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.reinforce

param iterations    = 200
param envs          = 64
param horizon       = 500
param learning_rate = 1e-2
param n_steps       = 50

policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [64, 64], 2, tanh, last_gain = 0.01)
  Categorical(logits = net(obs))
}

index i in 0..iterations
run = reinforce(CartPole, Actor, Mlp(4, [64, 64], 1, tanh), iterations, envs, horizon,
  learning_rate, n_steps = n_steps)
report "episode return" = run.episode_return[i]
