# A prioritized buffer by itself: each step draws a batch by priority, one draw from each of as many parts, inserts a new position and updates those that were drawn.
param capacity = 1000000
param batch    = 256
param fanout   = 16
param steps    = 20000

index n in 0..steps
index k in 0..batch

tree[0]   = SumTree(capacity, fanout).update(arange(capacity), ones(capacity))
j[n, k]   ~ tree.stratum(k, batch)
p[n, k]   ~ Uniform(0.001, 1.0)
tree[n+1] = tree.insert(n % capacity, 1.0).update(j[k: 0..batch], p[k: 0..batch])

total[n] = tree.total()
report "total of the priorities" = total[n] each 1000 n
