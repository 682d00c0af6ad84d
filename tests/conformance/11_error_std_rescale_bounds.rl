# Actions are not mapped to bounds that are infinite: what clips them, clips what is mapped.
# error: E0211 5:23 finite
use std.envs.Pendulum
use std.wrappers.{ClipActions, RescaleActions}
E    = RescaleActions(ClipActions(Pendulum))
s[0] ~ E.reset()
(s[1], r, terminated, truncated) = E.step(s[0], [0.5])
print r
