# A range whose bound is divided by 0 says so.
# args: num_steps=0
# error: E0213 7:23 divided by this 0

param total     = 100
param num_steps = 5
index i in 0..total//(2*num_steps)
x[i] = 1.0
print x
