# MountainCar-v0 of Gymnasium (Moore, 1990; Sutton and Barto's form).

## Drive an underpowered car out of a valley: push left (0), not (1) or right (2). Position -1.2 to 0.6, speed at most 0.07 a step, inelastic left
## wall. Observation: f32[2], position and speed. Reward -1 a step until the position is `goal`. Truncated after `limit` steps.
env MountainCar {
  param force = 0.001, gravity = 0.0025, goal = 0.5, goal_speed = 0.0, limit = 200
  state { x: f32, v: f32, steps: i32 }
  action Discrete(3)
  reset { x ~ Uniform(-0.6, -0.4); v = 0.0; steps = 0 }
  step(a) {
    pushed = clip(v + (a - 1) * force - gravity * cos(3.0 * x), -0.07, 0.07)
    x'     = clip(x + pushed, -1.2, 0.6)
    v'     = if x' == -1.2 and pushed < 0.0 then 0.0 else pushed
    steps' = steps + 1
  }
  observations = Box(low = [-1.2, -0.07], high = [0.6, 0.07])
  observe      = [x, v]
  reward       = -1.0
  terminated   = x' >= goal and v' >= goal_speed
  truncated    = steps' >= limit
}
