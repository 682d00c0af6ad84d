## What a fixed policy earns: the mean return of that many episodes of at most `horizon` steps, f32. `act` is a function from observations to actions:
## of the most probable ones, it is the evaluation return that Stable-Baselines3 publishes (Raffin et al., 2021). episodes and horizon are at least 1.
fn evaluate(E: env, act, episodes: int, horizon: int) {
  index b in 0..require(episodes, episodes >= 1, "there is at least one episode")
  index t in 0..require(horizon, horizon >= 1, "horizon is at least 1")
  s[b, 0]       ~ E.reset()
  (s[b, t+1], r, terminated, truncated) = E.step(s, act(E.observe(s)))
  alive[b, 0]   = 1.0
  alive[b, t+1] = if terminated or truncated then 0.0 else alive
  mean(sum(r * alive for t) for b)
}
