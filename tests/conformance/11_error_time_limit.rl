# A limit of no steps is refused.
# error: E0211 6:25 limit step

use std.envs.CartPole
use std.wrappers.TimeLimit
s ~ TimeLimit(CartPole, 0).reset()
