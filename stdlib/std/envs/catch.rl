# Catch of bsuite (Mnih et al., 2014; Osband et al., 2020).
use std.grid.cell

## Catch a ball that falls down a board of `rows` x `columns` by a paddle in the last row: left (0), stay (1), right (2). Observation: f32[rows,
## columns], 1 at the ball and at the paddle. Reward 1 for catching it, -1 for missing it, at the end. An error: fewer than two rows, or no column.
env Catch(rows: int = 10, columns: int = 5) {
  state { ball_x: i32, ball_y: i32, paddle: i32 }
  action Discrete(3)
  reset {
    ball_x ~ UniformInt(0, columns);
    ball_y = require(0, rows >= 2 and columns >= 1, "a board has at least two rows and a column");
    paddle = columns // 2
  }
  step(a) {
    paddle' = clip(paddle + a - 1, 0, columns - 1)
    ball_x' = ball_x
    ball_y' = ball_y + 1
  }
  observations = Box(low = zeros([rows, columns]), high = ones([rows, columns]))
  observe      = f32(cell(ball_y, ball_x, rows, columns) or cell(rows - 1, paddle, rows, columns))
  reward       = if not terminated then 0.0 else if paddle' == ball_x' then 1.0 else -1.0
  terminated   = ball_y' == rows - 1
  truncated    = false
}
