# A named entry changes its position.
# expect: y[b=0] = 0
# expect: y[b=1] = 10
# expect: z[t=0] = 10
# expect: z[t=1] = 11
# expect: z[t=2] = 12
# expect: w[t=0] = 1
# expect: w[t=1] = 2
# expect: w[t=2] = 3
# expect: v = 13

param B = 2
param T = 3
index b in 0..B
index t in 0..T
x[b, 0] = 10 * b
x[b, t+1] = x + 1

y = x[t: 0]
z = x[b: 1]
w = x[t+1, b: 0]
v = x[b: 1, t: 3]
print y; print z; print w; print v
