# Algorithms say which of their counts leaves nothing to do.
# error: E0211 60:48 num_envs num_steps
# error: E0211 61:67 train_frequency
# error: E0211 62:61 update_frequency
# error: E0211 63:48 train_frequency
# error: E0211 64:43 horizon
# error: E0211 65:51 num_envs num_steps
# error: E0211 66:48 num_envs num_steps
# error: E0211 67:51 num_minibatches num_envs num_steps
# error: E0211 68:39 total_timesteps num_envs num_steps
# error: E0211 69:40 num_envs num_steps
# error: E0211 70:75 num_envs num_steps
# error: E0211 71:51 horizon
# error: E0211 72:76 horizon
# error: E0211 73:77 burn_in length
# error: E0211 74:42 horizon
# error: E0211 75:37 episode
# error: E0211 76:54 update_epochs
# error: E0211 77:44 learning_starts
# error: E0211 78:66 learning_starts
# error: E0211 79:48 learning_starts
# error: E0211 80:71 target_network_frequency train_frequency
# error: E0211 81:57 learning_starts
# error: E0211 82:80 evaluation_frequency
# error: E0211 83:75 evaluation_frequency
# error: E0211 84:76 evaluation_frequency
# error: E0211 85:93 evaluation_frequency
# error: E0211 86:* evaluation_frequency
# error: E0211 87:* evaluation_frequency
# error: E0211 88:* evaluation_frequency
use std.envs.{CartPole, Pendulum}
use std.nn.{Activation, Dense, DuelingAtoms, GRU, Mlp, Sequential}
use std.algorithms.{a2c, c51, discrete_sac, dqn, evaluate, evolution, impala, ppo, pqn,
  recurrent_dqn, recurrent_ppo, reinforce, sac}
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

run_0  = a2c(CartPole, Actor, critic, 1000, 2, 0)
run_1  = c51(CartPole, Mlp(4, [8], 22, relu), 2, 400, 100, 8, 50, 0, 100, 11)
run_2  = discrete_sac(CartPole, q2, q2, 2, 400, 100, 8, 50, 0)
run_3  = dqn(CartPole, q2, 2, 400, 100, 8, 50, 0, 100)
run_4  = evolution(CartPole, Actor, 3, 2, 0)
run_5  = impala(CartPole, Actor, critic, 1000, 2, 0, 2)
run_6  = ppo(CartPole, Actor, critic, 1000, 2, 0, 2, 2)
run_7  = ppo(CartPole, Actor, critic, 1000, 2, 8, 20, 2)
run_8  = ppo(CartPole, Actor, critic, 10, 2, 8, 2, 2)
run_9  = pqn(CartPole, q2, 2, 1000, 2, 0, 2, 2)
run_10 = recurrent_ppo(CartPole, GRU(4, 8), Memory, Dense(8, 1), 1000, 2, 0, 2)
run_11 = reinforce(CartPole, Actor, critic, 3, 2, 0)
run_12 = analytic_policy_gradient(Pendulum, pa, c3, 1, 300, 100, 8, 50, 5, 0)
run_13 = recurrent_dqn(CartPole, GRU(4, 8), Dense(8, 2), 2, 400, 100, 8, 6, 5, 50, 10)
run_14 = evaluate(CartPole, argmax, 100, 0)
run_15 = evaluate(CartPole, argmax, 0, 100)
run_16 = ppo(CartPole, Actor, critic, 1000, 2, 8, 2, 0)
run_17 = dqn(CartPole, q2, 2, 400, 100, 8, 500, 10, 100)
run_18 = sac(Pendulum, Mlp(3, [8], 2, relu), pc, 1, 300, 100, 8, 300)
run_19 = td3(Pendulum, pa, pc, 1, 300, 100, 8, 300)
run_20 = c51(CartPole, Mlp(4, [8], 22, relu), 2, 400, 100, 8, 50, 10, 5, 11)
run_21 = discrete_sac(CartPole, q2, q2, 2, 400, 100, 8, 400, 10)
run_22 = dqn(CartPole, q2, 2, 400, 100, 8, 50, 10, 100, evaluation_frequency = 9)
run_23 = td3(Pendulum, pa, pc, 1, 300, 100, 8, 30, evaluation_frequency = 0)
run_24 = ddpg(Pendulum, pa, pc, 1, 300, 100, 8, 30, evaluation_frequency = 0)
run_25 = sac(Pendulum, Mlp(3, [8], 2, relu), pc, 1, 300, 100, 8, 30, evaluation_frequency = 0)
run_26 = dqn(CartPole, q2, 2, 400, 100, 8, 50, 10, 100, evaluation_frequency = 410)
run_27 = td3(Pendulum, pa, pc, 1, 300, 100, 8, 160, evaluation_frequency = 155)
run_28 = sac(Pendulum, Mlp(3, [8], 2, relu), pc, 1, 300, 100, 8, 30, evaluation_frequency = 301)
