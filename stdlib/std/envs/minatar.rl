# MinAtar's games by their original rules (Young and Tian, 2019): all six buttons, of which the last one is repeated with probability 0.1, and no
# limit of steps but Freeway's. `std.envs.Breakout` and the others are by gymnax's rules. What sticks to a game's first step is the button "none", as in the
# Arcade Learning Environment; MinAtar has the last button of the game before.
use std.envs.{Asterix, Breakout, Freeway, SpaceInvaders}
use std.wrappers.StickyActions

## Breakout with the buttons none, left, up, right, down, fire; each sticks with probability 0.1. Observation: f32[4, 10, 10].
StickyBreakout = StickyActions(Breakout([0, 1, 2, 3, 4, 5], limit = 2147483647), 0.1)
## Asterix with the buttons none, left, up, right, down, fire; each sticks with probability 0.1. Observation: f32[4, 10, 10].
StickyAsterix = StickyActions(Asterix([0, 1, 2, 3, 4, 5], limit = 2147483647), 0.1)
## Freeway with the buttons none, left, up, right, down, fire; each sticks with probability 0.1. Observation: f32[7, 10, 10]. Truncated after 2501 steps, so that learners
## bootstrap there; MinAtar calls it the end of the game.
StickyFreeway = StickyActions(Freeway([0, 1, 2, 3, 4, 5], limit = 2501), 0.1)
## Space Invaders with the buttons none, left, up, right, down, fire; each sticks with probability 0.1. Observation: f32[6, 10, 10].
StickySpaceInvaders = StickyActions(SpaceInvaders([0, 1, 2, 3, 4, 5], limit = 2147483647), 0.1)
