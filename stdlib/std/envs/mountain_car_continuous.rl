# MountainCarContinuous-v0 of Gymnasium.

## MountainCar with a force f32[1], clipped to [-1, 1]. Observation: f32[2], position and speed. Reward 100 for reaching `goal`, less 0.1 force^2 a
## step (of the force as given). Truncated after `limit` steps.
env MountainCarContinuous {
  param power = 0.0015, gravity = 0.0025, goal = 0.45, goal_speed = 0.0, limit = 999
  state { x: f32, v: f32, steps: i32 }
  action Box(low = [-1.0], high = [1.0])
  reset { x ~ Uniform(-0.6, -0.4); v = 0.0; steps = 0 }
  step(a) {
    pushed = clip(v + clip(a[0], -1.0, 1.0) * power - gravity * cos(3.0 * x), -0.07, 0.07)
    x'     = clip(x + pushed, -1.2, 0.6)
    v'     = if x' == -1.2 and pushed < 0.0 then 0.0 else pushed
    steps' = steps + 1
  }
  observations = Box(low = [-1.2, -0.07], high = [0.6, 0.07])
  observe      = [x, v]
  reward       = (if terminated then 100.0 else 0.0) - 0.1 * a[0]^2
  terminated   = x' >= goal and v' >= goal_speed
  truncated    = steps' >= limit
}
