# PPO (Schulman et al., 2017) on Asterix of MinAtar, by gymnax's rules.
use std.envs.Asterix
use std.nn.Mlp
use std.algorithms.ppo

param total_timesteps = 10000000
param num_envs        = 64
param num_steps       = 128
param num_minibatches = 8
param update_epochs   = 4
param learning_rate   = 5e-4
param anneal_lr       = false
param gamma           = 0.999
param hidden          = 256

Game     = Asterix
channels = 4
pixels   = channels * 10 * 10
gain     = sqrt(0.5)  # weights begin normal, with deviation 1 / sqrt(fan_in)

policy Actor(obs: f32[channels, 10, 10]) -> Categorical {
  net = Mlp(pixels, [hidden, hidden], Game.actions, relu, gain, gain, He)
  Categorical(logits = net(reshape(obs, [pixels])))
}
module Critic() {
  net = Mlp(pixels, [hidden, hidden], 1, relu, gain, gain, He)
  apply(obs) = net(reshape(obs, [pixels]))
}

index i in 0..total_timesteps//(num_envs*num_steps)
run = ppo(Game, Actor, Critic(), total_timesteps, num_envs, num_steps, num_minibatches,
  update_epochs, learning_rate, anneal_lr, gamma = gamma)
report "episode return" = run.episode_return[i]
report "episodes"       = run.episodes[i]
