# A policy with another number of choices or actions than the environment, and a critic of several numbers, are wrong at the argument.
# error: E0201 27:14 CartPole choices
# error: E0211 28:40 actions is how many
# error: E0201 29:14 Pendulum f32[2]
# error: E0201 30:14 Pendulum f32[2]
# error: E0211 31:31 critic one number
# error: E0211 32:31 critic one number
# error: E0211 33:40 critic one number
use std.envs.{CartPole, Pendulum}
use std.nn.Mlp
use std.algorithms.{a2c, dqn, ppo, sac}

policy Three(obs: f32[4]) -> Categorical {
  net = Mlp(4, [8], 3, tanh)
  Categorical(logits = net(obs))
}
policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [8], 2, tanh)
  Categorical(logits = net(obs))
}
policy Two(obs: f32[3]) -> Independent {
  net = Mlp(3, [8], 2, tanh)
  Independent(Normal(net(obs), 1.0))
}
critic = Mlp(4, [8], 1, tanh)
many   = Mlp(4, [8], 2, tanh)
run_1  = ppo(CartPole, Three, critic, 1000, 2, 8, 2, 2)
run_2  = dqn(CartPole, Mlp(4, [8], 3), 3, 400, 100, 8, 50, 10, 100)
run_3  = ppo(Pendulum, Two, Mlp(3, [8], 1), 1000, 2, 8, 2, 2)
run_4  = sac(Pendulum, Mlp(3, [8], 4), Mlp(5, [8], 1), 2, 300, 100, 8, 50)
run_5  = ppo(CartPole, Actor, many, 1000, 2, 8, 2, 2)
run_6  = a2c(CartPole, Actor, many, 1000, 2, 5)
run_7  = sac(Pendulum, Mlp(3, [8], 2), many, 1, 300, 100, 8, 50)
