# What the library finds wrong is wrong at the argument in the program, or at the call, once.
# error: E0211 7:23 heads
# error: E0202 13:12 x f32[n] 4 3

use std.nn.{CausalAttention, Mlp}
index t in 0..3
net = CausalAttention(6, 4)
w ~ net.init()
y = net(w, zeros([6]) + t)

mlp = Mlp(4, [8], 2)
u ~ mlp.init()
z = mlp(u, [1.0, 2.0, 3.0])
