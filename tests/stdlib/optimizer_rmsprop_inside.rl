# RMSProp(decay = 0.9, eps = 1e-3, inside = true) on a quadratic.
# tolerance: 1e-4
# expect: w[i=0] = [1.0, -2.0]
# expect: w[i=1] = [0.9500249812656113, -1.8585943546282877]
# expect: w[i=2] = [0.9023146546390904, -1.7544054883446212]
# expect: w[i=3] = [0.8565924278101618, -1.667710752322976]
# expect: w[i=4] = [0.8126445391254342, -1.591576423859924]
# expect: w[i=5] = [0.7703036859165734, -1.5226485309439932]
# expect: w[i=6] = [0.7294378208802138, -1.4590164840493511]

use std.optim.RMSProp
index i in 0..6

x[0]             = { w = 1.0, c = [-2.0] }
s[0]             = RMSProp(decay = 0.9, eps = 1e-3, inside = true).init(x[0])
loss             = 0.5 * (x.w^2 + 3.0 * sum(x.c^2))
(x[i+1], s[i+1]) = RMSProp(decay = 0.9, eps = 1e-3, inside = true).step(x, s, grad(loss, x),
  lr = 0.05)
w[i in 0..=6]    = [x.w, x.c[..][0]]
print w
