# Bare x reads x at its own indices.
# expect: y[b=0, t=0] = 0
# expect: y[b=0, t=1] = 2
# expect: y[b=0, t=2] = 4
# expect: y[b=1, t=0] = 20
# expect: y[b=1, t=1] = 22
# expect: y[b=1, t=2] = 24

param B = 2
param T = 3
index b in 0..B
index t in 0..T
x[b, 0] = 10 * b
x[b, t+1] = x + 1

y = 2 * x
print y
