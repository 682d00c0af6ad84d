# A choice is no action of an env that takes real numbers.
# error: E0201 5:53 action Pendulum i32
use std.envs.Pendulum
s ~ Pendulum.reset()
(next, r, terminated, truncated) = Pendulum.step(s, 1)
