# A real number is no action of an env of choices.
# error: E0201 5:53 action CartPole f32
use std.envs.CartPole
s ~ CartPole.reset()
(next, r, terminated, truncated) = CartPole.step(s, 0.5)
