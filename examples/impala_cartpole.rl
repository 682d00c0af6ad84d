# IMPALA (Espeholt et al., 2018) on CartPole-v1: V-trace makes up for actors that lag behind the learner.
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.impala

param total_timesteps = 500000
param num_envs        = 8
param num_steps       = 20
param learning_rate   = 2e-3
param lag             = 3
param window          = 250  # iterations from report to report

policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [64, 64], 2, tanh, last_gain = 0.01)
  Categorical(logits = net(obs))
}
critic = Mlp(4, [64, 64], 1, tanh)

run = impala(CartPole, Actor, critic, total_timesteps, num_envs, num_steps, lag, learning_rate,
  ent_coef = 0.0)

index i in 0..total_timesteps//(num_envs*num_steps*window)
report "episode return" = sum(run.episode_return[window*i+k] * run.episodes[window*i+k]
  for k in 0..window) / max(sum(run.episodes[window*i+k] for k in 0..window), 1)
