# A grid with walls; by default the four rooms of Sutton, Precup and Singh (1999).
use std.grid.cell

## Walk to `goal`, (row, column), through a grid in which `walls`, i32[rows, columns], are 1: up (0), right (1), down (2), left (3); into a wall or
## over the edge means to stay. With probability `slip` the step goes in a random direction. Starts at `start`, or, where that is (-1, -1), at a
## free cell of equal chances other than the goal. Observation: f32[3, rows, columns]: the walls, the agent, the goal. Reward 1 at the goal, which
## ends the episode; else -`cost`. Truncated after `limit` steps. An error: a start or a goal that is a wall or outside of the grid.
env GridWorld(walls = four_rooms(), goal = [7, 9], start = [-1, -1], slip = 0.0, cost = 0.0,
  limit = 500) {
  state { row: i32, column: i32, steps: i32 }
  action Discrete(4)
  reset {
    place  ~ Categorical(
      logits = flatten(select(open and not at_goal, zeros([rows, columns]), -inf)))
    row    = if start[0] >= 0 then start[0] else place // columns
    column = if start[0] >= 0 then start[1] else place % columns
    steps  = require(require(0, is_open(goal), "the goal is a free cell"),
      start[0] < 0 or is_open(start), "the start is a free cell, or (-1, -1)")
  }
  step(a) {
    slipped ~ Bernoulli(slip)
    other   ~ UniformInt(0, 4)
    way     = if slipped then other else a
    r       = clip(row + [-1, 0, 1, 0][way], 0, rows - 1)
    c       = clip(column + [0, 1, 0, -1][way], 0, columns - 1)
    free    = open[r, c]
    row'    = if free then r else row
    column' = if free then c else column
    steps'  = steps + 1
  }
  rows    = shape(walls)[0]
  columns = shape(walls)[1]
  open    = walls == 0
  is_open(at) = at[0] >= 0 and at[0] < rows and at[1] >= 0 and at[1] < columns and
    open[clip(at[0], 0, rows-1), clip(at[1], 0, columns-1)]
  at_goal      = cell(goal[0], goal[1], rows, columns)
  observations = Box(low = zeros([3, rows, columns]), high = ones([3, rows, columns]))
  observe      = stack([f32(walls), f32(cell(row, column, rows, columns)), f32(at_goal)], axis = 0)
  reward       = if terminated then 1.0 else -cost
  terminated   = row' == goal[0] and column' == goal[1]
  truncated    = steps' >= limit
}

## The map of the four rooms, i32[13, 13], 1 for a wall.
fn four_rooms() = [
  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  [1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1],
  [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]
