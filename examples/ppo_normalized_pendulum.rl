# PPO (Schulman et al., 2017) on Pendulum-v1 with normalized observations and rewards, as CleanRL's ppo_continuous_action.py has them. What was learned
# is evaluated with the observations' moments at the end, which then stay as they are, and by the environment's own rewards.
use std.envs.Pendulum
use std.nn.Mlp
use std.wrappers.{ClipActions, EpisodeStatistics, FixedNormalization, NormalizeObservations,
  NormalizeRewards, RunningMoments}
use std.algorithms.ppo
use std.algorithms.evaluate

param total_timesteps = 200000
param num_envs        = 4
param num_steps       = 1024
param num_minibatches = 32
param update_epochs   = 10
param learning_rate   = 1e-3
param gamma           = 0.9
param hidden          = 64

policy Actor(obs: f32[3]) -> Independent {
  net     = Mlp(3, [hidden, hidden], 1, tanh, last_gain = 0.01)
  log_std = LogStd(1)
  Independent(Normal(2.0 * net(obs), exp(log_std())))
}
## A standard deviation that does not depend on the state.
module LogStd(n: int) {
  weight x: f32[n] = 0.5
  apply() = x
}

Counted  = EpisodeStatistics(ClipActions(Pendulum))  # it sees the rewards that are not normalized
Training = NormalizeRewards(NormalizeObservations(Counted), gamma)
run      = ppo(Training, Actor, Mlp(3, [hidden, hidden], 1, tanh), total_timesteps, num_envs,
  num_steps,
  num_minibatches, update_epochs, learning_rate, gamma = gamma, ent_coef = 0.0,
  timeout = "bootstrap")

param iterations = total_timesteps // (num_envs * num_steps)
index i in 0..iterations
report "episode return" = mean(run.states.inner.inner.last_total[i])
report "episodes"       = run.episodes[i]

# Each environment has seen its own observations: the policy is tried with the moments of all of them.
seen   = run.states.inner.seen
Tested = FixedNormalization(ClipActions(Pendulum),
  RunningMoments.pooled({ mean = seen.mean[iterations-1], var = seen.var[iterations-1],
    count = seen.count[iterations-1] }))
fn act(x) = Actor(run.w.actor, x).mode()
report "evaluation return" = evaluate(Tested, act, 100, 200)
