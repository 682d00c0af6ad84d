# A distribution over no values, or over values that go down, is wrong at the argument.
# error: E0211 9:86 n_atoms
# error: E0211 10:84 n_atoms
# error: E0211 11:95 least value
use std.envs.CartPole
use std.nn.Mlp
use std.algorithms.{c51, dqn}

run_1 = c51(CartPole, Mlp(4, [8], 202, relu), 2, 400, 100, 8, 50, 10, 100, n_atoms = 0)
run_2 = dqn(CartPole, Mlp(4, [8], 2, relu), 2, 400, 100, 8, 50, 10, 100, n_atoms = 0)
run_3 = c51(CartPole, Mlp(4, [8], 6, relu), 2, 400, 100, 8, 50, 10, 100, n_atoms = 3, v_min = 5.0,
  v_max = 1.0)
