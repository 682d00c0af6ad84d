# Numbers of which an algorithm needs at least one, or none below zero, are wrong at the argument.
# error: E0211 29:85 batch_size is at least 1
# error: E0211 31:61 learning starts while there are steps: 0 <= learning_starts < total_timesteps
# error: E0211 33:73 gradient_steps is at least 1
# error: E0211 34:66 n_steps is at least 1
# error: E0211 35:82 lag is at least 0
# error: E0211 36:85 the fan-out of a sum tree is a power of two from 2 to 256, not 3
# error: E0211 37:40 actions is how many the environment has
# error: E0211 38:27 actions is how many the environment has
# error: E0211 39:55 num_envs is at least 1
# error: E0211 40:53 iterations is at least 1
# error: E0211 41:61 n_steps is at least 0
# error: E0211 42:49 pairs is at least 1
# error: E0211 43:55 lag is at least 0
# error: E0211 44:24 actor gives as many numbers as an action has
# error: E0211 45:95 policy_frequency is at least 1
# error: E0201 46:14 not f32[2]
# error: E0211 47:10 a policy gives one log-probability for its action
# error: E0211 48:37 the mode is one of "same_step", "next_step" and "none"
use std.envs.{CartPole, Pendulum}
use std.nn.Mlp
use std.algorithms.{c51, dqn, evolution, impala, ppo, reinforce}
use std.algorithms.td3.td3
use std.wrappers.Autoreset
policy Actor(obs: f32[4]) -> Categorical { net = Mlp(4, [8], 2); Categorical(net(obs)) }
policy Plain(obs: f32[3]) -> Normal { net = Mlp(3, [8], 1); Normal(net(obs), 1.0) }
q      = Mlp(4, [8], 2)
v      = Mlp(4, [8], 1)
run_1  = dqn(CartPole, q, 2, total_timesteps = 400, buffer_size = 100, batch_size = 0,
  learning_starts = 50, train_frequency = 10, target_network_frequency = 100)
run_2  = dqn(CartPole, q, 2, 400, 100, 8, learning_starts = -50, train_frequency = 10,
  target_network_frequency = 100)
run_3  = dqn(CartPole, q, 2, 400, 100, 8, 50, 10, 100, gradient_steps = 0)
run_4  = dqn(CartPole, q, 2, 400, 100, 8, 50, 10, 100, n_steps = 0)
run_5  = dqn(CartPole, q, 2, 400, 100, 8, 50, 10, 100, prioritized = true, lag = -1)
run_6  = dqn(CartPole, q, 2, 400, 100, 8, 50, 10, 100, prioritized = true, fanout = 3)
run_7  = dqn(CartPole, Mlp(4, [8], 1), 1, 400, 100, 8, 50, 10, 100)
run_8  = c51(CartPole, q, 3, 400, 100, 8, 50, 10, 100)
run_9  = reinforce(CartPole, Actor, v, 10, num_envs = 0, horizon = 10)
run_10 = reinforce(CartPole, Actor, v, iterations = 0, num_envs = 4, horizon = 10)
run_11 = reinforce(CartPole, Actor, v, 10, 4, 10, n_steps = -1)
run_12 = evolution(CartPole, Actor, 10, pairs = 0, horizon = 10)
run_13 = impala(CartPole, Actor, v, 1000, 2, 8, lag = -1)
run_14 = td3(Pendulum, Mlp(3, [8], 2), Mlp(4, [8], 1), 1, 400, 100, 8, 50)
run_15 = td3(Pendulum, Mlp(3, [8], 1), Mlp(4, [8], 1), 1, 400, 100, 8, 50, policy_frequency = 0)
run_16 = td3(Pendulum, Mlp(3, [8], 1), Mlp(4, [8], 1), 2, 400, 100, 8, 50)
run_17 = ppo(Pendulum, Plain, Mlp(3, [8], 1), 1000, 2, 8, 2, 2)
first  ~ Autoreset(CartPole, mode = "samestep").reset()
