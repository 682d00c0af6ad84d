# Two critics of a batch, whose losses meet in the smaller of two values and in a target: their parts run side by side.
param n = 128
param k = 96
index u in 0..3
index s in 0..n
index i in 0..k
index j in 0..k

x[s, i] ~ Normal(0.0, 1.0)
