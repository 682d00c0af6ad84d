# A convolution of a batch of images, again and again. The weights depend on what came before.
use std.nn.Conv2d

param batch    = 32
param rows     = 10  # and columns
param channels = 4
param filters  = 16
param size     = 3
param stride   = 1
param steps    = 200

index s in 0..steps
index b in 0..batch

net = Conv2d(channels, filters, size, stride = stride, initializer = FanIn)
out = (rows - size) // stride + 1

x[b in 0..batch]    ~ Normal(zeros(channels, rows, rows), 1.0)
w[0]                ~ net.init()
y[0, b in 0..batch] = zeros(filters, out, out)
y[s+1, b]           = net(w, x) + 0.5 * y
w[s+1]              = w - (1e-6 * y[s+1, 0][0, 0, 0]) * w

report "first" = y[steps, 0][0, 0, 0]
