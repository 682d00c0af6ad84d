# The end of one row is the start of the next.
# expect: x[i=0, t=0] = 1
# expect: x[i=0, t=1] = 2
# expect: x[i=0, t=2] = 4
# expect: x[i=1, t=0] = 5
# expect: x[i=1, t=1] = 10
# expect: x[i=1, t=2] = 20
# expect: x[i=2, t=0] = 21
# expect: x[i=2, t=1] = 42
# expect: x[i=2, t=2] = 84
# expect: x[i=3, t=0] = 85

index i in 0..3
index t in 0..2
x[0, 0] = 1
x[i, t+1] = 2 * x
x[i+1, 0] = x[t: 2] + 1
print x
