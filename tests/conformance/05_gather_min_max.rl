# min and max bound a gather, too.
# expect: y[t=0] = 30
# expect: y[t=1] = 0
# expect: y[t=2] = 20
# expect: y[t=3] = 10

index t in 0..4
x = 10 * t
u = [7, -3, 2, 1]
j = max(0, min(u[t], 3))
y = x[j]
print y
