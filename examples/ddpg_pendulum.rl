# DDPG (Lillicrap et al., 2016) on Pendulum-v1, with the hyper-parameters of RL Baselines3 Zoo.
use std.envs.Pendulum
use std.nn.{Activation, Sequential, uniform_mlp}
use std.algorithms.td3.ddpg
use std.algorithms.evaluate

param total_timesteps = 20000
param buffer_size     = 20000
param batch_size      = 256
param learning_starts = 10000
param learning_rate   = 1e-3
param gamma           = 0.98
param wide            = 400
param narrow          = 300

actor  = Sequential([uniform_mlp(3, [wide, narrow], 1, relu), Activation(tanh)])
critic = uniform_mlp(4, [wide, narrow], 1, relu)
run    = ddpg(Pendulum, actor, critic, 1, total_timesteps, buffer_size, batch_size, learning_starts,
  learning_rate, gamma, action_scale = 2.0)

index episode in 0..total_timesteps//200
report "episode return" = sum(run.reward[200*episode+k] for k in 0..200)
fn best(x) = 2.0 * actor(run.w, x)
report "evaluation return" = evaluate(Pendulum, best, 100, 200)
