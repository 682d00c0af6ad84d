# Space Invaders of MinAtar (Young and Tian, 2019).
use std.grid.{cell, rolled_down, rolled_up}

## Shoot aliens that come down a 10 x 10 board, and dodge their bullets. By default gymnax's rules: the actions are stay, left, right, fire, and
## `limit` steps truncate. `buttons` says which of MinAtar's buttons (0 none, 1 left, 2 up, 3 right, 4 down, 5 fire) an action is; without
## `ramping` a new wave is as fast as the last one. Observation: f32[6, 10, 10], cannon, aliens, aliens that go left, aliens that go right, own
## bullets, their bullets. Reward 1 an alien; terminated when an alien or a bullet reaches the cannon.
env SpaceInvaders(buttons = [0, 1, 3, 5], limit = 1000, ramping = true) {
  state {
    cannon: i32,
    aliens: bool[10, 10],
    bullets: bool[10, 10],
    bombs: bool[10, 10],
    leftward: bool,
    interval: i32,
    move_timer: i32,
    bomb_timer: i32,
    shot_timer: i32,
    steps: i32
  }
  action Discrete(len(buttons))
  reset {
    cannon = 5; aliens = wave; bullets = nothing; bombs = nothing; leftward = true
    interval = 12; move_timer = 12; bomb_timer = 10; shot_timer = 0; steps = 0
  }
  step(a) {
    button  = buttons[a]
    fires   = button == 5 and shot_timer == 0
    cannon' = clip(cannon + (if button == 1 then -1 else if button == 3 then 1 else 0), 0, 9)
    shots   = rolled_up(bullets or (fires and cell(9, cannon, 10, 10))) and not row(9)
    falling = rolled_down(bombs) and not row(0)
    at      = cell(9, cannon', 10, 10)

    moves     = move_timer == 0
    edge      = if leftward then any(aliens and column(0)) else any(aliens and column(9))
    sideways  = if leftward then transpose(rolled_up(transpose(aliens)))
      else transpose(rolled_down(transpose(aliens)))
    moved     = if not moves then aliens else if edge then rolled_down(aliens) else sideways
    leftward' = if moves and edge then not leftward else leftward
    landed    = moves and edge and any(aliens and row(9))

    aims     = bomb_timer == 0
    occupied = any(moved, axis = 0)
    lane     = argmin(select(occupied, abs(arange(10) - cannon'), 100), axis = 0)
    lowest   = max(select(moved and column(lane), expand_dims(arange(10), 1), -1))
    bombs'   = falling or (aims and cell(lowest, lane, 10, 10))

    killed      = moved and shots
    rest        = moved and not killed
    cleared     = not any(rest)
    aliens'     = if cleared then wave else rest
    bullets'    = shots and not killed
    interval'   = if cleared and ramping and interval > 6 then interval - 1 else interval
    move_timer' = (if moves then min(sum(aliens), interval) else move_timer) - 1
    bomb_timer' = (if aims then 10 else bomb_timer) - 1
    shot_timer' = max((if fires then 5 else shot_timer) - 1, 0)
    steps'      = steps + 1
  }
  row(k)    = expand_dims(arange(10) == k, 1)
  column(k) = expand_dims(arange(10) == k, 0)
  nothing      = cell(-1, -1, 10, 10)
  wave         = expand_dims(arange(10) < 4, 1) and
    expand_dims(arange(10) >= 2 and arange(10) < 8, 0)
  observations = Box(low = zeros([6, 10, 10]), high = ones([6, 10, 10]))
  observe      = f32(
    stack(
      [cell(9, cannon, 10, 10), aliens, aliens and leftward, aliens and not leftward, bullets,
        bombs], axis = 0))
  reward       = f32(sum(killed))
  terminated   = any(at and (falling or aliens or moved)) or landed
  truncated    = steps' >= limit
}
