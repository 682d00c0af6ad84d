# The subscripts on the left give the order of the positions.
# expect: x[t=0, i=0] = 0
# expect: x[t=0, i=1] = 1
# expect: x[t=1, i=0] = 10
# expect: x[t=1, i=1] = 11
# expect: x[t=2, i=0] = 20
# expect: x[t=2, i=1] = 21
# expect: y = 21

index i in 0..2
index t in 0..3
x[t, i] = 10 * t + i
print x
y = x[2, 1]
print y
