# A target network is copied by the count of steps, also where that many are no whole rounds: every 6 steps, learning after every 4, it is neither
# copied after every round nor after every second one.
# differs: period=4
# differs: period=8
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.dqn

param period = 6
run = dqn(CartPole, Mlp(4, [4], 2, tanh), 2, 200, 100, 4, 10, 4, period, learning_rate = 0.1)
print run.w
