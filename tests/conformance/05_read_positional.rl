# As many unnamed entries as positions are positional.
# expect: y[b=0, t=0] = -9
# expect: y[b=0, t=1] = -8
# expect: y[b=0, t=2] = -7
# expect: y[b=1, t=0] = 11
# expect: y[b=1, t=1] = 12
# expect: y[b=1, t=2] = 13
# expect: z = 13

param B = 2
param T = 3
index b in 0..B
index t in 0..T
x[b, 0] = 10 * b
x[b, t+1] = x + 1

y[b, t] = x[b, t+1] - x[1 - b, 0]
z = x[1, 3]
print y
print z
