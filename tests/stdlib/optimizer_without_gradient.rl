# After one gradient of 0.1 none comes: the moments end at zero, not among subnormal numbers, and the weights stay numbers. A small gradient that does
# not end moves a weight by the learning rate each step, all the same.
# tolerance: 1e-4
# expect: moments[k=0] = 0.0
# expect: moments[k=1] = 0.0
# expect: moments[k=2] = 0.0
# expect: moments[k=3] = 0.0
# expect: finite[k=0] = true
# expect: finite[k=1] = true
# expect: small = 0.60000515

use std.optim.{Adam, RMSProp}
param steps = 9000
index i in 0..steps
index k in 0..4

adam              = Adam(b2 = 0.99)
prop              = RMSProp(decay = 0.97, centered = true)
g                 = if i == 0 then 0.1 else 0.0
x[0]              = 1.0
y[0]              = 1.0
a[0]              = adam.init(x[0])
b[0]              = prop.init(y[0])
(x[i+1], a[i+1])  = adam.step(x, a, g)
(y[i+1], b[i+1])  = prop.step(y, b, g)
moments[k]        = [a.m[steps], a.v[steps], b.m[steps], b.v[steps]][k]
finite[k in 0..2] = abs([x[steps], y[steps]][k]) < 10.0

slow             = Adam(eps = 1e-20)
z[0]             = 1.0
c[0]             = slow.init(z[0])
(z[i+1], c[i+1]) = slow.step(z, c, 1e-14)
small            = z[400]

print moments
print finite
print small
