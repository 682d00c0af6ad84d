# What learning from shuffled minibatches takes without a simulation around it: a network of two layers learns numbers, as PPO's critic does.
use std.nn.{Mlp, scalar}
use std.optim.SGD

param samples   = 32768
param minibatch = 8192
param epochs    = 32
param width     = 64
param lr        = 1e-2

param updates = samples // minibatch

index e in 0..epochs
index u in 0..updates
index n in 0..samples
index m in 0..minibatch

net  = Mlp(4, [width, width], 1, tanh)
x[n] ~ Uniform(-ones(4), 1.0)
y[n] = x[n][0] * x[n][1] - x[n][2]

order[e]   ~ Permutation(samples)
j[e, u, m] = order[e][u*minibatch+m]
loss[e, u] = mean(0.5 * (scalar(net(w, x[j])) - y[j])^2 for m)

w[0, 0]        ~ net.init()
(w[e, u+1], _) = SGD.step(w, SGD.init(w), grad(loss, w), lr = lr)
w[e+1, 0]      = w[e, updates]

report "loss" = loss[e, updates-1]
