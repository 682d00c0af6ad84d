# Value iteration (Bellman, 1957) on a walk over a line: left and right, 1 for arriving at the right end, a tenth of the moves slips.
use std.algorithms.tabular.value_iteration

param states = 10
param gamma  = 0.9
param sweeps = 100

fn moves(state, step, next) = if next == clip(state + step, 0, states - 1) then 1.0 else 0.0
index s in 0..states
index a in 0..2
index z in 0..states
P[s, a, z] = if s == states - 1 then moves(s, 0, z)
  else 0.9 * moves(s, 2 * a - 1, z) + 0.1 * moves(s, 1 - 2 * a, z)
R[s, a]    = if s == states - 2 then (if a == 1 then 0.9 else 0.1) else 0.0

run = value_iteration(P[0..states, 0..2, 0..states], R[0..states, 0..2], gamma, sweeps)
print "values", run.V
print "policy", run.policy
