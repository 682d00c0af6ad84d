# Prioritized replay as the reference writes it: draws, inserts and updates in one recurrence. Only what has been inserted is drawn.
# expect: valid = true
# expect: drawn = true
# expect: mean = true

param capacity = 50, steps = 200, batch = 8
index n in 0..steps
index k in 0..batch
tree[0]   = SumTree(capacity, fanout = 4).insert(0, 1.0)
j[n, k]   ~ tree.sample()
td[n, k]  = f32(j % 5)
tree[n+1] = tree.insert((n + 1) % capacity, 1.0).update(j[k: 0..batch], td[k: 0..batch]^0.5)
print "valid", all(j <= n and j < capacity for n, k)
# Multiples of 5 that have been drawn once have priority 0 until they are inserted anew: few draws find them.
print "drawn", sum(j % 5 == 0 for n, k) < 250
print "mean", mean(f32(j % 5) for n, k) > 2.0
