# A tree for each point of another index; each is what it would be alone.
# expect: same = true
# expect: differ = true

index seed in 0..6
index n in 0..30
index k in 0..4
tree[seed, 0]            = SumTree(20, 2).update(arange(20), ones(20))
j[seed, n, k]            ~ tree.sample()
tree[seed, n+1]          = tree.update(j[k: 0..4], f32(j[k: 0..4] + seed % 3))
alone[0]                 = SumTree(20, 2).update(arange(20), ones(20))
alone[n+1]               = alone.update(j[seed: 4, k: 0..4], f32(j[seed: 4, k: 0..4] + 1))
total[seed, n in 0..=30] = tree.total()
single[n in 0..=30]      = alone.total()
print "same", all(total[4, n] == single for n)
print "differ", total[4, 30] != total[2, 30]
