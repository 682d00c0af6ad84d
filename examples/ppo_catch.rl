# PPO (Schulman et al., 2017) on Catch of bsuite.
use std.envs.Catch
use std.nn.Mlp
use std.algorithms.ppo

param total_timesteps = 100000
param num_envs        = 16
param num_steps       = 64
param num_minibatches = 4
param update_epochs   = 4
param learning_rate   = 1e-3

policy Actor(obs: f32[10, 5]) -> Categorical {
  net = Mlp(50, [64, 64], 3, tanh, last_gain = 0.01)
  Categorical(logits = net(reshape(obs, [50])))
}
module Critic(n: int) {
  net = Mlp(n, [64, 64], 1, tanh)
  apply(obs) = net(reshape(obs, [n]))
}

index i in 0..total_timesteps//(num_envs*num_steps)
run = ppo(Catch, Actor, Critic(50), total_timesteps, num_envs, num_steps, num_minibatches,
  update_epochs, learning_rate)
report "episode return" = run.episode_return[i]
report "episodes"       = run.episodes[i]
