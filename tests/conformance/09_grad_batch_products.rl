# The gradient of a layer's weights over a batch is a matrix product behind the loop over the samples; no vector divides its sizes.
# expect: L[step=0] = 4.514272
# expect: L[step=1] = 3.195063
# expect: L[step=2] = 2.2092638
use std.nn.Mlp
net = Mlp(29, [41, 37], 3, relu)
index i in 0..39
index step in 0..3
x[i]      ~ Normal(zeros([29]), 1.0)
w[0]      ~ net.init()
L[step]   = mean(sum((net(w, x) - x[i][0..3])^2) for i)
w[step+1] = w - 0.05 * grad(L, w)
print L
