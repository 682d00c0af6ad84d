# An entry changes the one own index that it mentions; the others stay.
# expect: y[b=0, t=0] = 1
# expect: y[b=0, t=1] = 2
# expect: y[b=0, t=2] = 3
# expect: y[b=1, t=0] = 11
# expect: y[b=1, t=1] = 12
# expect: y[b=1, t=2] = 13
# expect: z[b=0, t=0] = 2
# expect: z[b=0, t=1] = 1
# expect: z[b=0, t=2] = 0
# expect: z[b=1, t=0] = 12
# expect: z[b=1, t=1] = 11
# expect: z[b=1, t=2] = 10

param B = 2
param T = 3
index b in 0..B
index t in 0..T
x[b, 0] = 10 * b
x[b, t+1] = x + 1

y = x[t+1]
z = x[2 - t]
print y
print z
