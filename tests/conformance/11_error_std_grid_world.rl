# A grid world's ends are free cells.
# error: E0211 5:22 the goal is a free cell
# error: E0211 6:23 the start is a free cell, or (-1, -1)
use std.envs.GridWorld
e ~ GridWorld(goal = [0, 0]).reset()
g ~ GridWorld(start = [6, 6]).reset()
h ~ GridWorld(start = [1, 1], goal = [11, 11]).reset()
print e, g, h
