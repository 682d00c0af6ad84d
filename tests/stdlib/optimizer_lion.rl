# Lion(decay = 0.1) on a quadratic.
# tolerance: 1e-4
# expect: w[i=0] = [1.0, -2.0]
# expect: w[i=1] = [0.945, -1.94]
# expect: w[i=2] = [0.8902749999999999, -1.8802999999999999]
# expect: w[i=3] = [0.835823625, -1.8208984999999998]
# expect: w[i=4] = [0.781644506875, -1.7617940074999998]
# expect: w[i=5] = [0.727736284340625, -1.7029850374624997]
# expect: w[i=6] = [0.6740976029189218, -1.6444701122751872]

use std.optim.Lion
index i in 0..6

x[0]             = { w = 1.0, c = [-2.0] }
s[0]             = Lion(decay = 0.1).init(x[0])
loss             = 0.5 * (x.w^2 + 3.0 * sum(x.c^2))
(x[i+1], s[i+1]) = Lion(decay = 0.1).step(x, s, grad(loss, x), lr = 0.05)
w[i in 0..=6]    = [x.w, x.c[..][0]]
print w
