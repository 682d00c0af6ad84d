# One draw from each part of the total: in the tree's order, and as often as the priorities say up to the parts at both ends.
# expect: share = true
# expect: sorted = true
# expect: replay = true
use std.replay.Prioritized

index k in 0..20000
index p in 0..100
tree = SumTree(100).update(arange(100), f32(arange(100)))
j[k] ~ tree.stratum(k, 20000)
print "share",
  all(abs(sum(j == p for k) - 20000.0 * f32(p) / 4950.0) < 2.5 for p)
print "sorted", all(j[q] <= j[q+1] for q in 0..19999)

index i in 0..8
memory   = Prioritized(8, alpha = 1.0, eps = 0.0).insert(arange(8))
place[i] ~ memory.stratum(i, 8)
print "replay", all(place == i for i)
