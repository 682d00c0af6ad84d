# SGD(momentum = 0.9) on a quadratic.
# tolerance: 1e-4
# expect: w[i=0] = [1.0, -2.0]
# expect: w[i=1] = [0.95, -1.7]
# expect: w[i=2] = [0.8574999999999999, -1.1749999999999998]
# expect: w[i=3] = [0.7313749999999999, -0.5262499999999997]
# expect: w[i=4] = [0.5812937499999999, 0.13656250000000048]
# expect: w[i=5] = [0.4171559374999999, 0.7126093750000004]
# expect: w[i=6] = [0.2485741093749999, 1.1241601562500003]

use std.optim.SGD
index i in 0..6

x[0]             = { w = 1.0, c = [-2.0] }
s[0]             = SGD(momentum = 0.9).init(x[0])
loss             = 0.5 * (x.w^2 + 3.0 * sum(x.c^2))
(x[i+1], s[i+1]) = SGD(momentum = 0.9).step(x, s, grad(loss, x), lr = 0.05)
w[i in 0..=6]    = [x.w, x.c[..][0]]
print w
