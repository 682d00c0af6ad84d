# error: E0211 4:14 hidden is a list of widths

use std.nn.Mlp
net = Mlp(4, 64, 2)
w ~ net.init()
print w.layers[0].c
