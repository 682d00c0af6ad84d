# Asterix of MinAtar (Young and Tian, 2019).
use std.grid.cell

## Collect gold and avoid enemies, which cross the rows of a 10 x 10 board and become faster and more frequent. By default gymnax's rules: the
## actions are stay, left, up, right, down, and `limit` steps truncate. `buttons` says which of MinAtar's buttons (0 none, 1 left, 2 up, 3 right,
## 4 down, 5 fire) an action is; without `ramping` the speed stays. Observation: f32[4, 10, 10], player, enemies, trails, gold. Reward 1 for gold;
## terminated at an enemy.
env Asterix(buttons = [0, 1, 2, 3, 4], limit = 1000, ramping = true) {
  # Eight slots for what crosses, slot k in row k + 1.
  state {
    player_x: i32,
    player_y: i32,
    x: i32[8],
    right: bool[8],
    gold: bool[8],
    present: bool[8],
    spawn_speed: i32,
    spawn_timer: i32,
    move_speed: i32,
    move_timer: i32,
    ramp_timer: i32,
    ramp_index: i32,
    steps: i32
  }
  action Discrete(len(buttons))
  reset {
    player_x = 5; player_y = 5
    x = i32(zeros([8])); right = none; gold = none; present = none
    spawn_speed = 10;
    spawn_timer = 10;
    move_speed  = 5;
    move_timer  = 5;
    ramp_timer  = 100;
    ramp_index  = 0
    steps       = 0
  }
  step(a) {
    button    = buttons[a]
    player_x' = clip(player_x + (if button == 1 then -1 else if button == 3 then 1 else 0), 0, 9)
    player_y' = clip(player_y + (if button == 2 then -1 else if button == 4 then 1 else 0), 1, 8)

    due       = spawn_timer == 0
    rightward ~ Bernoulli(0.5)
    golden    ~ Bernoulli(1.0 / 3.0)
    slot      ~ Categorical(logits = select(present and not all(present), -inf, zeros([8])))
    new       = due and not all(present) and arange(8) == slot
    here      = present or new
    right'    = select(new, rightward, right)
    gold'     = select(new, golden, gold)
    from      = select(new, if rightward then 0 else 9, x)
    met       = here and from == player_x' and rows == player_y'

    moves     = move_timer == 0
    to        = if moves then from + select(right', 1, -1) else from
    left      = here and not (met and gold') and to >= 0 and to <= 9
    met_later = moves and left and to == player_x' and rows == player_y'
    present'  = left and not (met_later and gold')
    x'        = select(present', to, 0)

    harder       = ramping and (spawn_speed > 1 or move_speed > 1)
    ramps        = harder and ramp_timer < 0
    spawn_timer' = (if due then spawn_speed else spawn_timer) - 1
    move_timer'  = (if moves then move_speed else move_timer) - 1
    move_speed'  = if ramps and move_speed > 1 and ramp_index % 2 == 1 then move_speed - 1
      else move_speed
    spawn_speed' = if ramps and spawn_speed > 1 then spawn_speed - 1 else spawn_speed
    ramp_index'  = if ramps then ramp_index + 1 else ramp_index
    ramp_timer'  = if ramps then 100 else if harder then ramp_timer - 1 else ramp_timer
    steps'       = steps + 1
  }
  rows = arange(8) + 1
  none = arange(8) < 0
  placed(on, at) = concat(zeros([1, 10]),
    f32(expand_dims(on, 1) and expand_dims(at, 1) == arange(10)), zeros([1, 10]), axis = 0)
  observations = Box(low = zeros([4, 10, 10]), high = ones([4, 10, 10]))
  observe      = stack(
    [f32(cell(player_y, player_x, 10, 10)), placed(present and not gold, x),
      placed(present, select(right, x - 1, x + 1)), placed(present and gold, x)], axis = 0)
  reward       = f32(sum((met or met_later) and gold'))
  terminated   = any((met or met_later) and not gold')
  truncated    = steps' >= limit
}
