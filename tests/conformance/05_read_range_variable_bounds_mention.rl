# A range variable stands for the own index that its bounds mention.
# expect: y[b=0, t=0] = 3
# expect: y[b=0, t=1] = 3
# expect: y[b=0, t=2] = 2
# expect: y[b=1, t=0] = 33
# expect: y[b=1, t=1] = 23
# expect: y[b=1, t=2] = 12

param B = 2
param T = 3
index b in 0..B
index t in 0..T
x[b, 0] = 10 * b
x[b, t+1] = x + 1

y = sum(x[k] for k in t..T)
print y
