# A batch is not larger than what the buffer holds when it is first drawn: the argument is named.
# error: E0211 41:59 batch_size buffer
# error: E0211 42:53 batch_size buffer
# error: E0211 43:40 batch_size buffer
# error: E0211 44:38 batch_size buffer
# error: E0211 45:62 batch_size buffer
# error: E0211 46:44 batch_size buffer
# error: E0211 47:45 batch_size buffer
# error: E0211 48:65 batch_size buffer
# error: E0211 49:70 batch_size sequences buffer
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

run_0 = c51(CartPole, Mlp(4, [8], 22, relu), 2, 400, 100, 80, 50, 10, 100, 11)
run_1 = discrete_sac(CartPole, q2, q2, 2, 400, 100, 80, 50, 10)
run_2 = dqn(CartPole, q2, 2, 400, 100, 80, 50, 10, 100)
run_3 = dqn(CartPole, q2, 2, 400, 4, 8, 50, 10, 100)
run_4 = sac(Pendulum, Mlp(3, [8], 2, relu), pc, 1, 300, 100, 80, 50)
run_5 = td3(Pendulum, pa, pc, 1, 300, 100, 80, 50)
run_6 = ddpg(Pendulum, pa, pc, 1, 300, 100, 80, 50)
run_7 = analytic_policy_gradient(Pendulum, pa, c3, 1, 300, 100, 80, 50, 5, 4)
run_8 = recurrent_dqn(CartPole, GRU(4, 8), Dense(8, 2), 2, 400, 100, 80, 6, 2, 50, 10)
