# A product with a record whose fields are scalars is one error, not one for each field, and says what to take.
# error: E0202 8:8 CartPole.State, whose `x` is a scalar
use std.envs.CartPole

index t in 0..3
W = [[1.0, 0.5, 0.2, 0.1]]
s[0] ~ CartPole.reset()
h[t] = W @ s[t]
(s[t+1], r[t], terminated[t], truncated[t]) = CartPole.step(s[t], 1)
print h
