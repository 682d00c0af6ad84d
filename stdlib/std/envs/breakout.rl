# Breakout of MinAtar (Young and Tian, 2019).
use std.grid.cell

## Break bricks with a ball that a paddle in the last row of a 10 x 10 board returns. By default gymnax's rules: the actions are stay, left, right,
## and `limit` steps truncate. `buttons` says which of MinAtar's buttons (0 none, 1 left, 2 up, 3 right, 4 down, 5 fire) an action is.
## Observation: f32[4, 10, 10], paddle, ball, trail, bricks. Reward 1 a brick; terminated when the ball is lost.
env Breakout(buttons = [0, 1, 3], limit = 1000) {
  # The ball's directions: 0 up left, 1 up right, 2 down right, 3 down left.
  state {
    ball_x: i32,
    ball_y: i32,
    last_x: i32,
    last_y: i32,
    direction: i32,
    paddle: i32,
    bricks: bool[10, 10],
    struck: bool,
    steps: i32
  }
  action Discrete(len(buttons))
  reset {
    right     ~ Bernoulli(0.5)
    ball_x    = if right then 9 else 0
    ball_y    = 3
    last_x    = ball_x
    last_y    = 3
    direction = if right then 3 else 2
    paddle    = 4
    bricks    = wall
    struck    = false
    steps     = 0
  }
  step(a) {
    paddle'    = clip(paddle + move(buttons[a]), 0, 9)
    x          = ball_x + (if direction == 1 or direction == 2 then 1 else -1)
    y          = ball_y + (if direction >= 2 then 1 else -1)
    side       = x < 0 or x > 9
    ball_x'    = clip(x, 0, 9)
    turned     = if side then [1, 0, 3, 2][direction] else direction
    ceiling    = y < 0
    brick      = not ceiling and bricks[clip(y, 0, 9), ball_x']
    hit        = brick and not struck
    bottom     = not ceiling and not brick and y == 9
    returned   = bottom and ball_x == paddle'
    edge       = bottom and not returned and ball_x' == paddle'
    lost       = bottom and not returned and not edge
    direction' = if ceiling or hit or returned then [3, 2, 1, 0][turned] else if edge
      then [2, 3, 0, 1][turned] else turned
    ball_y'    = if ceiling then 0 else if hit or returned or edge then ball_y else y
    last_x'    = ball_x
    last_y'    = ball_y
    struck'    = brick
    bricks'    = if bottom and not any(bricks) then wall
      else bricks and not (hit and cell(y, ball_x', 10, 10))
    steps'     = steps + 1
  }
  move(button) = if button == 1 then -1 else if button == 3 then 1 else 0
  wall         = broadcast_to(expand_dims(arange(10) >= 1 and arange(10) <= 3, 1), [10, 10])
  observations = Box(low = zeros([4, 10, 10]), high = ones([4, 10, 10]))
  observe      = f32(
    stack(
      [cell(9, paddle, 10, 10), cell(ball_y, ball_x, 10, 10), cell(last_y, last_x, 10, 10), bricks],
      axis = 0))
  reward       = if hit then 1.0 else 0.0
  terminated   = lost
  truncated    = steps' >= limit
}
