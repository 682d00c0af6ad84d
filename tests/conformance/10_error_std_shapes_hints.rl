# What a policy is not, and what an image is to a network of vectors.
# error: E0111 7:9 a tensor f32[2] has no field `log_prob`
# error: E0201 8:23 `x` is f32[n], not f32[4, 10, 10]
use std.envs.{Breakout, CartPole}
use std.nn.Mlp
use std.algorithms.{dqn, ppo}
run_1 = ppo(CartPole, Mlp(4, [8], 2), Mlp(4, [8], 1), 1000, 2, 8, 2, 2)
run_2 = dqn(Breakout, Mlp(400, [8], 3), 3, 400, 100, 8, 50, 10, 100)
print run_1, run_2
