# A policy of choices in an environment of real numbers, and the other way around, is wrong at the argument.
# error: E0201 46:14 Pendulum
# error: E0201 47:14 Pendulum
# error: E0201 48:23 Pendulum
# error: E0201 49:14 Pendulum
# error: E0201 50:20 Pendulum
# error: E0201 51:17 Pendulum
# error: E0201 52:14 Pendulum
# error: E0201 53:14 Pendulum
# error: E0201 54:24 Pendulum
# error: E0201 55:20 Pendulum
# error: E0201 56:14 CartPole
# error: E0201 57:14 CartPole
# error: E0201 58:35 CartPole
# error: E0201 59:24 Pendulum
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

run_0  = a2c(Pendulum, Three, c3, 1000, 2, 5)
run_1  = c51(Pendulum, Mlp(3, [8], 22, relu), 2, 400, 100, 8, 50, 10, 100, 11)
run_2  = discrete_sac(Pendulum, Mlp(3, [8], 2), Mlp(3, [8], 2), 2, 400, 100, 8, 50, 10)
run_3  = dqn(Pendulum, Mlp(3, [8], 2), 2, 400, 100, 8, 50, 10, 100)
run_4  = evolution(Pendulum, Three, 3, 2, 20)
run_5  = impala(Pendulum, Three, c3, 1000, 2, 5, 2)
run_6  = ppo(Pendulum, Three, c3, 1000, 2, 8, 2, 2)
run_7  = pqn(Pendulum, Mlp(3, [8], 2), 2, 1000, 2, 8, 2, 2)
run_8  = recurrent_ppo(Pendulum, GRU(3, 8), Memory, Dense(8, 1), 1000, 2, 8, 2)
run_9  = reinforce(Pendulum, Three, c3, 3, 2, 20)
run_10 = sac(CartPole, Mlp(4, [8], 2, relu), Mlp(5, [8], 1), 1, 300, 100, 8, 50)
run_11 = td3(CartPole, q2, Mlp(5, [8], 1), 1, 300, 100, 8, 50)
run_12 = analytic_policy_gradient(CartPole, q2, critic, 2, 300, 100, 8, 50, 5, 4)
run_13 = recurrent_dqn(Pendulum, GRU(3, 8), Dense(8, 2), 2, 400, 100, 8, 6, 2, 50, 10)
