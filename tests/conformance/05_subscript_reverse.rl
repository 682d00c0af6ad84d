# A subscript may run backward.
# expect: y[t=0] = 9
# expect: y[t=1] = 4
# expect: y[t=2] = 1
# expect: y[t=3] = 0

param n = 4
index t in 0..n
x = t * t
y[t] = x[n - 1 - t]
print y
