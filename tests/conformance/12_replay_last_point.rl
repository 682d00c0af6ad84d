# args: --seed 3
# expect: picked[n: steps - 1][k=0] = 50
# expect: picked[n: steps - 1][k=1] = 20
# expect: total = 5.457305
# What is printed of the last point stays, though its loop runs one iteration more for the tree.
param steps    = 6
param capacity = 4
param batch    = 2
param α        = 0.6

index n in 0..steps
index k in 0..batch

obs[n]    = 10 * n
tree[0]   = SumTree(capacity, fanout = 16).insert(0, 1.0)  # step 0 is at place 0
j[n, k]   ~ tree.sample()
step      = n - (n - j) % capacity  # the last step that went to place j
picked    = obs[n: clip(step, max(0, n+1-capacity), n)]
error     = f32(picked) / 10.0  # stands for a TD error
tree[n+1] = tree.insert((n + 1) % capacity, 1.0).update(j[k: 0..batch],
  (abs(error[k: 0..batch]) + 0.01)^α)

print picked[n: steps - 1]
total = tree.total()
print "total", total[steps-1]
