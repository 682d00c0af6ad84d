# Deep Sea of bsuite (Osband et al., 2019).
use std.grid.cell

## A diver starts in the upper left corner of a square and sinks one row a step, to the left or to the right; only going right every time finds the
## treasure in the last column. Observation: f32[size, size], 1 at the diver, all 0 at the end. Reward 1 for the treasure, -`cost` / size for a step right.
## `right` says which of the actions 0 and 1 is the right one, by row and column (bsuite draws it once: `right ~ Bernoulli(zeros([n, n]) + 0.5)`,
## `DeepSea(n, i32(right))`). Without `deterministic`, a step to the right fails with probability 1 / size, and the ends of the last row have
## normal rewards. An error: size < 1.
env DeepSea(size: int = 10, right = ones([size, size]), deterministic = true, cost = 0.01) {
  state { row: i32, column: i32 }
  action Discrete(2)
  reset { row = require(0, size >= 1, "the sea has at least one row"); column = 0 }
  step(a) {
    goes    = a == i32(right[clip(row, 0, size-1), column])
    swept   ~ Bernoulli(1.0 / size)
    noise   ~ Normal(0.0, 1.0)
    moved   = goes and (deterministic or not swept)
    found   = (if goes and column == size - 1 then 1.0 else 0.0) -
      (if goes then cost / size else 0.0)
    luck    = if not deterministic and row == size - 1 and (column == 0 or column == size - 1)
      then noise else 0.0
    row'    = row + 1
    column' = clip(if goes then column + i32(moved) else column - 1, 0, size - 1)
  }
  observations = Box(low = zeros([size, size]), high = ones([size, size]))
  observe      = f32(cell(row, column, size, size))
  reward       = found + luck
  terminated   = row' == size
  truncated    = false
}
