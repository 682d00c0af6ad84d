# A rollout through a network and a gradient step of the same network, with sizes to choose: what runs in lanes, in blocks and in
# threads, and what remains of them.
use std.nn.Mlp

param iterations = 3
param envs       = 64
param horizon    = 20
param features   = 7
param hidden     = 16

index i in 0..iterations
index b in 0..envs
index t in 0..horizon

net             = Mlp(features, [hidden, hidden], features, tanh)
θ[0]            ~ net.init()
start[i, b]     ~ Normal(zeros(features), ones(features))
x[i, b, 0]      = start
y               = net(θ, x[i, b, t])
x[i, b, t+1]    = 0.9 * x + 0.1 * y
v[i, b, t]      = sum(y * y)
G[i, b, t]      = v + 0.9 * G[t+1]
G[i, b, end(t)] = 0.0
loss            = mean(G for b, t)
θ[i+1]          = θ - 0.05 * grad(loss, θ)

report "loss" = loss
report "most" = max(G for b, t)
print θ[iterations]
