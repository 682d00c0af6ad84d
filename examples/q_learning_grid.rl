# Q-learning (Watkins, 1989) in the four rooms of Sutton, Precup and Singh (1999), from one corner to the other.
use std.envs.GridWorld
use std.algorithms.tabular.q_learning

param steps         = 50000
param learning_rate = 0.2
param gamma         = 0.95
param epsilon       = 0.1

E = GridWorld(start = [1, 1], goal = [11, 11], limit = 200)
fn number(s) = 13 * s.row + s.column
run = q_learning(E, number, 169, 4, steps, learning_rate, gamma, epsilon, initial = 0.5)

index i in 0..steps//2500
report "less steps to the goal" = -2500.0 / max(sum(run.done[2500*i+k] for k in 0..2500), 1)
