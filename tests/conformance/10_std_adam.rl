# std.optim.Adam is Kingma and Ba's.
# expect: w[i=0] = 1.0
# expect: w[i=1] = 1.1
# expect: w[i=2] = 1.199833514
# expect: w[i=3] = 1.299376608
# expect: w[i=4] = 1.398495105

use std.optim.Adam
record P { w: f32 }
index i in 0..4
p[0] = P(w = 1.0)
o[0] = Adam.init(p[0])
L = (p.w - 3.0) ^ 2
(p[i+1], o[i+1]) = Adam.step(p, o, grad(L, p), lr = 0.1)
w[i in 0..=4] = p.w
print w
