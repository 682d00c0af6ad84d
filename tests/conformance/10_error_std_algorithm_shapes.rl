# A network of the wrong shape is wrong at the argument.
# error: E0202 54:24 obs 5 4 extent
# error: E0202 55:31 x 4 extent 3
# error: E0202 56:24 x 4 extent 5
# error: E0211 57:24 net actions n_atoms
# error: E0202 58:33 x 4 extent 3
# error: E0202 59:24 x 4 extent 3
# error: E0211 60:24 net actions n_atoms
# error: E0202 61:30 obs 5 4 extent
# error: E0202 62:27 obs 5 4 extent
# error: E0202 63:24 obs 5 4 extent
# error: E0202 64:31 x 4 extent 3
# error: E0202 65:24 x 4 extent 3
# error: E0202 66:34 x 4 extent 5
# error: E0202 67:30 obs 5 4 extent
# error: E0202 68:24 x 3 extent 4
# error: E0202 69:28 x 4 extent 3
# error: E0202 70:25 x 3 extent 4
# error: E0202 71:49 x 3 extent 4
# error: E0211 72:24 net actions
# error: E0211 73:33 actor critic actions
# error: E0211 74:24 actor 2 actions
# error: E0211 75:45 head actions
use std.envs.{CartPole, Pendulum}
use std.nn.{Activation, Dense, DuelingAtoms, GRU, Mlp, Sequential}
use std.algorithms.{a2c, c51, discrete_sac, dqn, evolution, impala, ppo, pqn, recurrent_dqn,
  recurrent_ppo,
  reinforce, sac}
use std.algorithms.analytic.analytic_policy_gradient
use std.algorithms.td3.{td3, ddpg}
use std.algorithms.tabular.{q_learning, value_iteration}
policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [8], 2, tanh)
  Categorical(logits = net(obs))
}
policy Wide(obs: f32[5]) -> Categorical {
  net = Mlp(5, [8], 2, tanh)
  Categorical(logits = net(obs))
}
policy Three(obs: f32[3]) -> Categorical {
  net = Mlp(3, [8], 2, tanh)
  Categorical(logits = net(obs))
}
policy Memory(x: f32[8]) -> Categorical {
  head = Dense(8, 2)
  Categorical(logits = head(x))
}
critic = Mlp(4, [8], 1, tanh)
c3     = Mlp(3, [8], 1, tanh)
q2     = Mlp(4, [8], 2, tanh)
pa     = Sequential([Mlp(3, [8], 1, tanh), Activation(tanh)])
pc     = Mlp(4, [8], 1, tanh)

run_0  = a2c(CartPole, Wide, critic, 1000, 2, 5)
run_1  = a2c(CartPole, Actor, c3, 1000, 2, 5)
run_2  = c51(CartPole, Mlp(5, [8], 22, relu), 2, 400, 100, 8, 50, 10, 100, 11)
run_3  = c51(CartPole, Mlp(4, [8], 20, relu), 2, 400, 100, 8, 50, 10, 100, 11)
run_4  = discrete_sac(CartPole, c3, q2, 2, 400, 100, 8, 50, 10)
run_5  = dqn(CartPole, c3, 2, 400, 100, 8, 50, 10, 100)
run_6  = dqn(CartPole, critic, 2, 400, 100, 8, 50, 10, 100)
run_7  = evolution(CartPole, Wide, 3, 2, 20)
run_8  = impala(CartPole, Wide, critic, 1000, 2, 5, 2)
run_9  = ppo(CartPole, Wide, critic, 1000, 2, 8, 2, 2)
run_10 = ppo(CartPole, Actor, c3, 1000, 2, 8, 2, 2)
run_11 = pqn(CartPole, c3, 2, 1000, 2, 8, 2, 2)
run_12 = recurrent_ppo(CartPole, GRU(5, 8), Memory, Dense(8, 1), 1000, 2, 8, 2)
run_13 = reinforce(CartPole, Wide, critic, 3, 2, 20)
run_14 = sac(Pendulum, Mlp(4, [8], 2, relu), pc, 1, 300, 100, 8, 50)
run_15 = td3(Pendulum, c3, c3, 1, 300, 100, 8, 50)
run_16 = ddpg(Pendulum, q2, pc, 1, 300, 100, 8, 50)
run_17 = analytic_policy_gradient(Pendulum, pa, critic, 1, 300, 100, 8, 50, 5, 4)
run_18 = pqn(CartPole, critic, 2, 1000, 2, 8, 2, 2)
run_19 = discrete_sac(CartPole, critic, critic, 2, 400, 100, 8, 50, 10)
run_20 = sac(Pendulum, c3, pc, 1, 300, 100, 8, 50)
run_21 = recurrent_dqn(CartPole, GRU(4, 8), Dense(8, 3), 2, 400, 100, 8, 6, 2, 50, 10)
