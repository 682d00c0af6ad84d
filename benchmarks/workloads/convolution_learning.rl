# A convolution of a batch of images and both of its gradients, again and again: weights and images go down the gradient of the results' squares.
use std.nn.Conv2d

param batch    = 32
param rows     = 10  # and columns
param channels = 4
param filters  = 16
param size     = 3
param stride   = 1
param steps    = 200
param lr       = 1e-4

index s in 0..steps
index b in 0..batch

net = Conv2d(channels, filters, size, stride = stride, initializer = FanIn)

x[0, b in 0..batch] ~ Normal(zeros(channels, rows, rows), 1.0)
w[0]                ~ net.init()
y                   = net(w, x)
loss                = 0.5 * mean(sum(y^2) for b)
x[s+1, b]           = x - lr * grad(loss, x)
w[s+1]              = w - lr * grad(loss, w)

report "loss" = loss[steps-1]
