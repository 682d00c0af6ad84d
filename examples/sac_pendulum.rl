# Soft actor-critic (Haarnoja et al., 2018) on Pendulum-v1, with the hyper-parameters of RL Baselines3 Zoo.
use std.envs.Pendulum
use std.nn.uniform_mlp
use std.algorithms.sac
use std.algorithms.evaluate

param total_timesteps = 20000
param buffer_size     = 20000
param batch_size      = 256
param learning_starts = 256  # a batch
param learning_rate   = 1e-3
param hidden          = 256

actor = uniform_mlp(3, [hidden, hidden], 2, relu)
run   = sac(Pendulum, actor, uniform_mlp(4, [hidden, hidden], 1, relu), 1,
  total_timesteps, buffer_size, batch_size, learning_starts,
  learning_rate, action_scale = 2.0)

index episode in 0..total_timesteps//200
report "episode return" = sum(run.reward[200*episode+k] for k in 0..200)
fn best(x) = 2.0 * tanh(actor(run.w, x)[0..1])
report "evaluation return" = evaluate(Pendulum, best, 100, 200)
