# Prioritized replay: a new step has the largest priority so far, and takes the place of the one `capacity` before it.
# expect: total = 6.0
# expect: again = 6.0
# expect: weight = 1.5
# expect: uniform = 1.0
# expect: steps = [4, 1, 2, 3]
# expect: drawn = 0
use std.replay.Prioritized

param capacity = 4
full = Prioritized(capacity, alpha = 1.0, eps = 0.0).insert([0, 1, 2, 3]).update([0, 1],
  [3.0, -1.0])
next = full.insert(4)
print "total", full.tree.total()
print "again", next.tree.total()
print "weight", next.weight(1, 5, 1.0)
print "uniform", next.weight(1, 5, 0.0)
print "steps", next.step(arange(4), 4)

# What has not been inserted is not drawn.
index k in 0..50
part     = Prioritized(capacity).insert([0, 1])
place[k] ~ part.sample()
print "drawn", sum(place >= 2 for k)
