# A slice of one position; the others stay.
# expect: y[b=0] = [0, 1, 2]
# expect: y[b=1] = [10, 11, 12]

param B = 2
param T = 3
index b in 0..B
index t in 0..T
x[b, 0] = 10 * b
x[b, t+1] = x + 1

y = x[t: 0..T]
print y
