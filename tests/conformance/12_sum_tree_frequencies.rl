# Draws follow the priorities.
# expect: share = true
# expect: none = 0

index k in 0..20000
index p in 0..100
tree = SumTree(100).update(arange(100), f32(arange(100)))
j[k] ~ tree.sample()
print "share",
  all(abs(sum(j == p for k) - 20000.0 * f32(p) / 4950.0) <
    5.0 * sqrt(1.0 + 20000.0 * f32(p) / 4950.0) for p)
print "none", sum(j == 0 for k)
