# An equation without subscripts has its free indices in declared order.
# expect: y[i=0, t=0] = 0
# expect: y[i=0, t=1] = 1
# expect: y[i=0, t=2] = 2
# expect: y[i=1, t=0] = 10
# expect: y[i=1, t=1] = 11
# expect: y[i=1, t=2] = 12

index i in 0..2
index t in 0..3
y = t + 10 * i
print y
