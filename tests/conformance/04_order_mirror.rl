# The second half reads the first, mirrored.
# expect: x[t=0] = 0
# expect: x[t=1] = 1
# expect: x[t=2] = 4
# expect: x[t=3] = 9
# expect: x[t=4] = 109
# expect: x[t=5] = 104
# expect: x[t=6] = 101
# expect: x[t=7] = 100
# expect: y[t=0] = 17
# expect: y[t=1] = 16
# expect: y[t=2] = 15
# expect: y[t=3] = 14
# expect: y[t=4] = 4
# expect: y[t=5] = 5
# expect: y[t=6] = 6
# expect: y[t=7] = 7

index t in 0..8
x[t] = if t < 4 then t * t else x[7 - t] + 100
y[t] = if t > 3 then t else y[7 - t] + 10
print x
print y
