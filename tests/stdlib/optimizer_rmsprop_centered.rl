# RMSProp(decay = 0.9, eps = 1e-3, inside = true, centered = true) on a quadratic.
# tolerance: 1e-4
# expect: w[i=0] = [1.0, -2.0]
# expect: w[i=1] = [0.9497734697689412, -1.852575847619382]
# expect: w[i=2] = [0.9012293913942356, -1.7385491971791276]
# expect: w[i=3] = [0.8539287534290674, -1.6390755588806447]
# expect: w[i=4] = [0.807591201797274, -1.547650871135648]
# expect: w[i=5] = [0.7620433550028978, -1.4612037417213457]
# expect: w[i=6] = [0.717189263197645, -1.3780537845017946]

use std.optim.RMSProp
index i in 0..6

x[0]             = { w = 1.0, c = [-2.0] }
s[0]             = RMSProp(decay = 0.9, eps = 1e-3, inside = true, centered = true).init(x[0])
loss             = 0.5 * (x.w^2 + 3.0 * sum(x.c^2))
(x[i+1], s[i+1]) = RMSProp(decay = 0.9, eps = 1e-3, inside = true, centered = true).step(x, s,
  grad(loss, x), lr = 0.05)
w[i in 0..=6]    = [x.w, x.c[..][0]]
print w
