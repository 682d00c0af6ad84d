# Draws by priority alone: each step draws a batch, one draw from each of as many parts.
param capacity = 1000000
param batch    = 256
param fanout   = 16
param steps    = 40000

index n in 0..steps
index k in 0..batch

tree    = SumTree(capacity, fanout).update(arange(capacity), ones(capacity))
j[n, k] ~ tree.stratum(k, batch)

report "mean position" = mean(f32(j) for n, k)
