# Evolution strategies (Salimans et al., 2017) on CartPole-v1.
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.evolution

param iterations    = 60
param pairs         = 32
param horizon       = 500
param learning_rate = 0.05
param noise         = 0.1

policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [16], 2, tanh)
  Categorical(logits = net(obs))
}

index i in 0..iterations
run = evolution(CartPole, Actor, iterations, pairs, horizon, learning_rate, noise)
report "episode return" = run.episode_return[i]
