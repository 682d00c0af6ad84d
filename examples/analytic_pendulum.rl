# An analytic policy gradient through the physics of Pendulum-v1.
use std.envs.Pendulum
use std.nn.{Activation, Mlp, Sequential}
use std.algorithms.analytic.analytic_policy_gradient

param iterations    = 100
param envs          = 32
param window        = 25
param learning_rate = 1e-2

actor = Sequential([Mlp(3, [64, 64], 1, tanh), Activation(tanh)])
run   = analytic_policy_gradient(Pendulum, actor, iterations, envs, 200, window, learning_rate,
  action_scale = 2.0)

index i in 0..iterations
report "episode return" = run.episode_return[i]
