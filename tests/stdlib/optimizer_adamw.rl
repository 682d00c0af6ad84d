# AdamW(b2 = 0.99, decay = 0.1) on a quadratic.
# tolerance: 1e-4
# expect: w[i=0] = [1.0, -2.0]
# expect: w[i=1] = [0.9450000005, -1.9400000000833333]
# expect: w[i=2] = [0.8903622773716281, -1.880342044663608]
# expect: w[i=3] = [0.8361502330965854, -1.8210539382514463]
# expect: w[i=4] = [0.7824325846782823, -1.7621644199634097]
# expect: w[i=5] = [0.729283601163353, -1.7037031202990862]
# expect: w[i=6] = [0.6767833047675115, -1.645700512709788]

use std.optim.AdamW
index i in 0..6

x[0]             = { w = 1.0, c = [-2.0] }
s[0]             = AdamW(b2 = 0.99, decay = 0.1).init(x[0])
loss             = 0.5 * (x.w^2 + 3.0 * sum(x.c^2))
(x[i+1], s[i+1]) = AdamW(b2 = 0.99, decay = 0.1).step(x, s, grad(loss, x), lr = 0.05)
w[i in 0..=6]    = [x.w, x.c[..][0]]
print w
