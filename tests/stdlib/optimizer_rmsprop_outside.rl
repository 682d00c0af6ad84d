# RMSProp(decay = 0.9, eps = 1e-3) on a quadratic.
# tolerance: 1e-4
# expect: w[i=0] = [1.0, -2.0]
# expect: w[i=1] = [0.8423845408369894, -1.8419694064275274]
# expect: w[i=2] = [0.7376623576226594, -1.7318783118883523]
# expect: w[i=3] = [0.6552249368944933, -1.6420816904250188]
# expect: w[i=4] = [0.5858845119976922, -1.5640362517803992]
# expect: w[i=5] = [0.525500165976954, -1.4938308242828158]
# expect: w[i=6] = [0.47181461967725047, -1.4293060027005862]

use std.optim.RMSProp
index i in 0..6

x[0]             = { w = 1.0, c = [-2.0] }
s[0]             = RMSProp(decay = 0.9, eps = 1e-3).init(x[0])
loss             = 0.5 * (x.w^2 + 3.0 * sum(x.c^2))
(x[i+1], s[i+1]) = RMSProp(decay = 0.9, eps = 1e-3).step(x, s, grad(loss, x), lr = 0.05)
w[i in 0..=6]    = [x.w, x.c[..][0]]
print w
