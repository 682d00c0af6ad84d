# Agents with memory take every cell: the LSTM's state is a record, of which a policy sees the features. An episode of the chain takes four steps, and
# with minibatches of environments, a rate that stays, and either cell, PPO learns it. A replayed sequence that begins with the
# stored state and has the same weights shows the same features as the steps did.
# args: --seed 2
# expect: ppo = [80, 80]
# expect: dqn = [100, 100]
# expect: learned = [true, true]
# expect: difference = 0.0
use std.algorithms.{recurrent_dqn, recurrent_ppo}
use std.envs.MemoryChain
use std.nn.{Dense, GRU, LSTM}
use std.replay.unrolled

policy Actor(x: f32[8]) -> Categorical {
  head = Dense(8, 2, 0.01)
  Categorical(logits = head(x))
}
fn ppo_with(core) = recurrent_ppo(MemoryChain(3), core, Actor, Dense(8, 1), 320, 4, 8, 2)
fn dqn_with(core) = recurrent_dqn(MemoryChain(3), core, Dense(8, 2), 2, 400, 100, 8, 6, 2, 50, 10)
print "ppo", [sum(ppo_with(GRU(3, 8)).episodes), sum(ppo_with(LSTM(3, 8)).episodes)]
print "dqn", [sum(dqn_with(GRU(3, 8)).episodes), sum(dqn_with(LSTM(3, 8)).episodes)]

fn learned(core, norm_adv) {
  run = recurrent_ppo(MemoryChain(2), core, Actor, Dense(8, 1), 1920, 8, 8, 2, 2e-2,
    num_minibatches = 4, anneal_lr = false, norm_adv = norm_adv)
  mean(run.episode_return[25..30])
}
print "learned", [learned(GRU(3, 8), true) > 0.5, learned(LSTM(3, 8), false) > 0.5]

index n in 0..9
index t in 2..9
cell      = LSTM(3, 8)
w         ~ cell.init()
x[n]      ~ Normal(zeros([3]), 1.0)
over      = n % 4 == 3
s[0]      = cell.initial()
y[n]      = cell(w, x, s)
s[n+1]    = if over then cell.initial() else y
seen[t]   = x[n: t]
stored[t] = s[n: t]
ended[t]  = over[n: t]
again     = unrolled(cell, w, seen, stored, ended, 2)
print "difference", max(max(abs(again - cell.features(y[n: t]))) for t)
