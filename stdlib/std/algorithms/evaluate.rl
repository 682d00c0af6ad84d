## What a fixed policy earns: the mean return of that many episodes of at most `horizon` steps, f32. `act` is a function from observations to actions:
## of the most probable ones, it is the evaluation return that Stable-Baselines3 publishes (Raffin et al., 2021). An error: episodes or horizon < 1.
fn evaluate(E: env, act, episodes: int, horizon: int) {
  index b in 0..require(episodes, episodes >= 1, "there is at least one episode")
  index t in 0..require(horizon, horizon >= 1, "horizon is at least 1")
  s[b, 0]       ~ E.reset()
  (s[b, t+1], r, terminated, truncated) = E.step(s, act(E.observe(s)))
  alive[b, 0]   = 1.0
  alive[b, t+1] = if terminated or truncated then 0.0 else alive
  mean(sum(r * alive for t) for b)
}

## The best weights so far, as Stable-Baselines3's EvalCallback keeps them (Raffin et al., 2021), beginning with these: { w, score }. They are a
## recurrence: `kept[0] = first_kept(w[0])`, `kept[n+1] = better(kept, w[n+1], score)`. `w`: a record of weights of any shapes; score: f32.
fn first_kept(w) = { w = w, score = -inf }
## These weights with their score, f32, if it is higher than that of the kept ones, else those (Raffin et al., 2021). A score of NaN is not higher.
fn better(kept, w, score) = if score > kept.score then { w = w, score = score } else kept
## How many rounds of `frequency` steps lie from trial to trial of weights: those from behind round `first` to `last` are tried at least once (Raffin
## et al., 2021). An error: evaluation_frequency < frequency; no such trial.
fn spacing(evaluation_frequency: int, frequency: int, first: int, last: int) {
  param every = require(evaluation_frequency // frequency, evaluation_frequency >= frequency,
    "weights are tried after whole rounds of steps: evaluation_frequency >= frequency")
  require(every, last // every * every > first,
    "weights are tried while it learns: a multiple of evaluation_frequency lies behind learning_starts, at total_timesteps at the latest")
}
## The score of weights of which only the last count, as CleanRL's. 0.0: f32.
fn unscored(w) = 0.0
