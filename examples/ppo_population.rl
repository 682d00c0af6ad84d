# Sixty-four runs of PPO on CartPole-v1 at once, each with draws, weights and a learning rate of its own, from `slowest` to `fastest`.
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.ppo

param population      = 64
param total_timesteps = 100000
param num_envs        = 4
param num_steps       = 128
param hidden          = 64
param slowest         = 1e-4
param fastest         = 2e-3

policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [hidden, hidden], 2, tanh, last_gain = 0.01)
  Categorical(logits = net(obs))
}
critic = Mlp(4, [hidden, hidden], 1, tanh)

index seed in 0..population
index i in 0..total_timesteps//(num_envs*num_steps)

learning_rate[seed] = slowest * (fastest / slowest)^(seed / population)
run[seed]           = ppo(CartPole, Actor, critic, total_timesteps, num_envs, num_steps, 4, 4,
  learning_rate)

report "episode return"     = run[seed].episode_return[i]
report "episodes"           = run[seed].episodes[i]
report "mean return"        = mean(run[seed].episode_return[i] for seed)
report "best return"        = max(run[seed].episode_return[i] for seed)
report "best learning rate" = learning_rate[seed: argmax(run[seed].episode_return[i] for seed)]
