# SGD(momentum = 0.9, nesterov = true) on a quadratic.
# tolerance: 1e-4
# expect: w[i=0] = [1.0, -2.0]
# expect: w[i=1] = [0.905, -1.43]
# expect: w[i=2] = [0.778525, -0.7794499999999998]
# expect: w[i=3] = [0.6314626249999999, -0.16486174999999959]
# expect: w[i=4] = [0.47415116312499994, 0.3300275237500004]
# expect: w[i=5] = [0.31594230506562493, 0.6591136896062504]
# expect: w[i=6] = [0.164876616171578, 0.811997553045344]

use std.optim.SGD
index i in 0..6

x[0]             = { w = 1.0, c = [-2.0] }
s[0]             = SGD(momentum = 0.9, nesterov = true).init(x[0])
loss             = 0.5 * (x.w^2 + 3.0 * sum(x.c^2))
(x[i+1], s[i+1]) = SGD(momentum = 0.9, nesterov = true).step(x, s, grad(loss, x), lr = 0.05)
w[i in 0..=6]    = [x.w, x.c[..][0]]
print w
