# An index may stand at another's position.
# expect: y[b=0] = 0
# expect: y[b=1] = 11
# expect: z[t=0] = 10
# expect: z[t=1] = 11
# expect: z[t=2] = 12

param B = 2
param T = 3
index b in 0..B
index t in 0..T
x[b, 0] = 10 * b
x[b, t+1] = x + 1

y[b] = x[b, b]
z[t] = x[1, t]
print y
print z
