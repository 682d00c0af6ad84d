# PPO (Schulman et al., 2017) on MountainCar-v0, where it learns nothing in these steps, with the hyper-parameters of CleanRL's ppo.py.
use std.envs.MountainCar
use std.nn.Mlp
use std.algorithms.ppo

param total_timesteps = 500000
param num_envs        = 4
param num_steps       = 128
param num_minibatches = 4
param update_epochs   = 4
param learning_rate   = 2.5e-4
param gamma           = 0.99

policy Actor(obs: f32[2]) -> Categorical {
  net = Mlp(2, [64, 64], 3, tanh, last_gain = 0.01)
  Categorical(logits = net(obs))
}
critic = Mlp(2, [64, 64], 1, tanh)

index i in 0..total_timesteps//(num_envs*num_steps)
run = ppo(MountainCar, Actor, critic, total_timesteps, num_envs, num_steps, num_minibatches,
  update_epochs, learning_rate, gamma = gamma)

report "episode return" = run.episode_return[i]
report "episodes"       = run.episodes[i]
