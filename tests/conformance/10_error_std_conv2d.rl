# A window that does not fit into the image is an error at the argument.
# error: E0211 5:20 window image

use std.nn.Conv2d
net = Conv2d(1, 2, 5)
w ~ net.init()
y = net(w, zeros([1, 4, 6]))
