# PPO (Schulman et al., 2017) on physics of one's own: a chain of rods that swims, whose equations of motion stand in std.envs.Swimmer.
use std.envs.Swimmer
use std.nn.Mlp
use std.wrappers.ClipActions
use std.algorithms.ppo
use std.algorithms.evaluate

param rods            = 3
param substeps        = 2    # of Runge and Kutta, in a step
param limit           = 250  # steps of an episode
param total_timesteps = 100000
param num_envs        = 16
param num_steps       = 250
param num_minibatches = 16
param update_epochs   = 8
param learning_rate   = 1e-3
param hidden          = 32

policy Actor(obs: f32[3*rods+2]) -> Independent {
  net     = Mlp(3 * rods + 2, [hidden, hidden], rods - 1, tanh, last_gain = 0.01)
  log_std = LogStd(rods - 1)
  Independent(Normal(net(obs), exp(log_std())))
}
## Standard deviations that do not depend on the state.
module LogStd(n: int) {
  weight x: f32[n] = -0.5
  apply() = x
}

E      = ClipActions(Swimmer(rods, substeps, limit = limit))
critic = Mlp(3 * rods + 2, [hidden, hidden], 1, tanh)
run    = ppo(E, Actor, critic, total_timesteps, num_envs, num_steps, num_minibatches, update_epochs,
  learning_rate, ent_coef = 0.0, timeout = "bootstrap")

index i in 0..total_timesteps//(num_envs*num_steps)
report "episode return" = run.episode_return[i]
report "episodes"       = run.episodes[i]

fn act(x) = Actor(run.w.actor, x).mode()
report "evaluation return" = evaluate(E, act, 16, limit)
