# Environments that can't be: wrong at the parameter.
# error: E0211 8:11 a board has at least two rows and a column
# error: E0211 9:17 there is at least one step, and one bit
# error: E0211 10:13 the sea has at least one row
# error: E0211 11:15 there is a mean reward for each arm
# error: E0211 12:22 the goal is a free cell
use std.envs.{Bandit, Catch, DeepSea, GridWorld, MemoryChain}
a ~ Catch(0, 5).reset()
b ~ MemoryChain(0, 1).reset()
c ~ DeepSea(0).reset()
d ~ Bandit(3, [0.5, 0.2]).reset()
f ~ GridWorld(goal = [13, 2]).reset()
print a, b, c, d, f
