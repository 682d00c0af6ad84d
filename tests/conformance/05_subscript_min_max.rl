# Subscripts may use min and max.
# expect: y[t=0] = 4
# expect: y[t=1] = 9
# expect: y[t=2] = 15
# expect: y[t=3] = 12
# expect: y[t=4] = 7

param T = 5
index t in 0..T
x = t * t
y = x[min(t + 2, T - 1)] - x[max(t - 1, 0)]
print y
