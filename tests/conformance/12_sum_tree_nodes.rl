# Nodes that are no sums of a tree's lead to some position of the tree, the same one on every device, and so does a fraction that is no number: to the last with a priority.
# expect: inside = true
# expect: places = 1024
# expect: total = 1.1924145
# expect: last = 19

index k in 0..64
forged   = SumTree(20, 16, f32(i32(arange(64) >= 40)))
place[k] = forged.find((f32(k) + 0.5) / 64.0)
u[k]     ~ Uniform(0.0, 1.0)
p[k]     = exp(u)
tree     = SumTree(20).update(place[k: 0..64], p[k: 0..64])
print "inside", all(place >= 0 and place < 20 for k)
print "places", sum(place for k)
print "total", tree.total()
print "last", SumTree(20).update(arange(20), ones(20)).find(0.0 / 0.0)
