# A target network is copied by the count of steps, also where that many are no whole rounds: every 6 steps, learning after every 4, it is neither
# copied after every round nor after every second one.
# differs: period=4
# differs: period=8
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.c51

param period = 6
run = c51(CartPole, Mlp(4, [4], 10, tanh), 2, 200, 100, 4, 10, 4, period, 5, -5.0, 5.0, 0.1)
print run.w
