# std.nn.Dense maps n inputs to m outputs.
# expect: y = [0.0, 0.0]

use std.nn.Dense
net = Dense(3, 2)
w ~ net.init()
y = net(w, [0.0, 0.0, 0.0])
print y
