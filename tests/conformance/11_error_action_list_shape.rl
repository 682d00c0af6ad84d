# An action that is written out has the shape of the environment's.
# error: E0201 6:27 an action of `Pendulum` is f32[1], not f32[3]

use std.envs.Pendulum
s ~ Pendulum.reset()
(a, r) = Pendulum.step(s, [0.5, 1.0, 7.0])
print r
