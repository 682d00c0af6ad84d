# The smallest continuous environment, this library's own: for measuring what everything else costs.

## A number that drifts by 0.05 times the action f32[1], clipped to [-1, 1], and stays within [-1, 1]. Observation: the number, copied to an array
## of `shape`, f32[3, 4, 4] at first. Reward: minus its distance from 0 after the step. Truncated after `limit` steps.
env Drift(shape = [3, 4, 4], limit = 250) {
  state { x: f32, steps: i32 }
  action Box(low = [-1.0], high = [1.0])
  reset { x ~ Uniform(-1.0, 1.0); steps = 0 }
  step(a) {
    x'     = clip(x + 0.05 * clip(a[0], -1.0, 1.0), -1.0, 1.0)
    steps' = steps + 1
  }
  observations = Box(low = full(shape, -1.0), high = full(shape, 1.0))
  observe      = x * ones(shape)
  reward       = -abs(x')
  terminated   = false
  truncated    = steps' >= limit
}
