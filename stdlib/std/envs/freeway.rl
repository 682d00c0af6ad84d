# Freeway of MinAtar (Young and Tian, 2019).
use std.grid.cell

## Bring a chicken across eight lanes of cars to the upper row, again and again; a car sends it back. It moves at most every third step. By default
## gymnax's rules: the actions are stay, up, down, and `limit` steps truncate. `buttons` says which of MinAtar's buttons (0 none, 1 left, 2 up,
## 3 right, 4 down, 5 fire) an action is. Observation: f32[7, 10, 10], chicken, cars, and a trail for each of the five speeds. Reward 1 for getting
## across; never terminated.
env Freeway(buttons = [0, 2, 4], limit = 2500) {
  # Lane k is row k + 1. A car's speed is signed, to the right where it is positive: it moves once in abs(speed) + 1 steps.
  state { chicken: i32, rest: i32, x: i32[8], timer: i32[8], speed: i32[8], steps: i32 }
  action Discrete(len(buttons))
  reset {
    u     ~ Uniform(zeros([8]), 1.0)
    right ~ Bernoulli(zeros([8]) + 0.5)
    speed = speeds(u, right)
    timer = abs(speed)
    x     = i32(zeros([8]))
    chicken = 9; rest = 3; steps = 0
  }
  step(a) {
    button   = buttons[a]
    walks    = (button == 2 or button == 4) and rest == 0
    walked   = if walks then clip(chicken + (if button == 2 then -1 else 1), 0, 9) else chicken
    across   = walked == 0
    u        ~ Uniform(zeros([8]), 1.0)
    right    ~ Bernoulli(zeros([8]) + 0.5)
    speed'   = if across then speeds(u, right) else speed
    left     = if across then abs(speed') else timer
    start    = if across then 9 else walked
    moves    = left == 0
    x'       = select(moves, (x + select(speed' > 0, 1, -1)) % 10, x)
    timer'   = select(moves, abs(speed'), left - 1)
    hit      = any(rows == start and (x == 4 or x' == 4))
    chicken' = if hit then 9 else start
    ready    = if walks then 3 else rest
    rest'    = max(ready - 1, 0)
    steps'   = steps + 1
  }
  rows = arange(8) + 1
  speeds(u, right)   = select(right, 1, -1) * (1 + i32(5.0 * u))
  placed(on, at)     = concat(zeros([1, 10]),
    f32(expand_dims(on, 1) and expand_dims(at, 1) == arange(10)), zeros([1, 10]), axis = 0)
  trail(x, speed, k) = placed(abs(speed) == k, (x - select(speed > 0, 1, -1)) % 10)
  observations = Box(low = zeros([7, 10, 10]), high = ones([7, 10, 10]))
  observe      = stack(
    [f32(cell(chicken, 4, 10, 10)), placed(speed != 0, x), trail(x, speed, 1), trail(x, speed, 2),
      trail(x, speed, 3), trail(x, speed, 4), trail(x, speed, 5)], axis = 0)
  reward       = if across then 1.0 else 0.0
  terminated   = false
  truncated    = steps' >= limit
}
