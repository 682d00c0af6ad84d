# A named gather keeps the other positions.
# expect: y[b=0, k=0] = 0
# expect: y[b=0, k=1] = 2
# expect: y[b=1, k=0] = 11
# expect: y[b=1, k=1] = 10

param B = 2
param T = 3
index b in 0..B
index t in 0..T
x[b, 0] = 10 * b
x[b, t+1] = x + 1

index k in 0..2
j[b, k] = (b + 2 * k) % 3
y = x[t: j]
print y
