# Discounted returns as they are defined, a sum to go: simplifying reductions make the cost linear in T.
param T     = 100000
param gamma = 0.99
param envs  = 64

index b in 0..envs
index t in 0..T

r[b, t] ~ Uniform(0.0, 1.0)
G       = sum(gamma^(k - t) * r[k] for k in t..T)

report "return" = mean(G for b, t)
