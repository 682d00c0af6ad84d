# Of weights that are tried now and then the best are kept; a score of NaN is never better. An algorithm keeps the last weights where nothing is
# said of scores, and else those with the highest.
# expect: kept = {w: 2.0, score: 7.0}
# expect: distance to the last = [0.0, 0.0, 0.0]
# expect: higher = [true, true, true]
use std.envs.{CartPole, Pendulum}
use std.nn.Mlp
use std.algorithms.{dqn, sac, td3}
use std.algorithms.evaluate.{better, first_kept}

index n in 0..4
w[n]      = 1.0 + n
kept[0]   = first_kept(0.0)
kept[n+1] = better(kept, w, [3.0, 7.0, 7.0, 0.0 / 0.0][n])
print "kept", kept[4]

# The algorithms, by one of the weights: for a short while, in which it goes up and down.
value = Mlp(4, [4], 2, tanh)
actor = Mlp(3, [4], 2, tanh)
q     = Mlp(4, [4], 1, tanh)
module Mean(net) {
  apply(x) = tanh(net(x)[0..1])
}
mean = Mean(actor)
fn rising(w) = w.layers[0].c[0]
fn falling(w) = -rising(w)
fn mean_falling(w) = falling(w.net)
fn gap(a, b) = max(list(max(abs(leaves(a)[k] - leaves(b)[k])) for k in 0..len(leaves(a))))

d0 = dqn(CartPole, value, 2, 200, 100, 4, 10, 2, 10)
d1 = dqn(CartPole, value, 2, 200, 100, 4, 10, 2, 10, evaluation_frequency = 6, score = falling)
t0 = td3(Pendulum, mean, q, 1, 60, 60, 4, 8)
t1 = td3(Pendulum, mean, q, 1, 60, 60, 4, 8, evaluation_frequency = 3, score = mean_falling)
s0 = sac(Pendulum, actor, q, 1, 60, 60, 4, 8)
s1 = sac(Pendulum, actor, q, 1, 60, 60, 4, 8, evaluation_frequency = 3, score = rising)
print "distance to the last", [gap(d0.w, d0.best), gap(t0.w, t0.best), gap(s0.w, s0.best)]
print "higher", [falling(d1.best) > falling(d1.w), mean_falling(t1.best) > mean_falling(t1.w),
  rising(s1.best) > rising(s1.w)]
