# PPO (Schulman et al., 2017) with continuous actions on Pendulum-v1, with SLM-Lab's hyper-parameters. Rewards are scaled for the critic, returns are not.
use std.envs.Pendulum
use std.nn.Mlp
use std.algorithms.ppo

param total_timesteps = 300000
param num_envs        = 4
param num_steps       = 2048
param num_minibatches = 128
param update_epochs   = 10
param learning_rate   = 3e-4
param gamma           = 0.9
param hidden          = 256

policy Actor(obs: f32[3]) -> Independent {
  net     = Mlp(3, [hidden, hidden], 1, relu, last_gain = 0.01)
  log_std = LogStd(1)
  Independent(Normal(2.0 * net(obs), exp(log_std())))
}
## A standard deviation that does not depend on the state.
module LogStd(n: int) {
  weight x: f32[n] = 0.0
  apply() = x
}
critic = Mlp(3, [hidden, hidden], 1, relu)

index i in 0..total_timesteps//(num_envs*num_steps)
run = ppo(Pendulum, Actor, critic, total_timesteps, num_envs, num_steps, num_minibatches,
  update_epochs, learning_rate,
  gamma = gamma, ent_coef = 0.0, clip_vloss = false, timeout = "bootstrap", reward_scale = 0.1)
report "episode return" = run.episode_return[i]
