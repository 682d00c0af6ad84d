# An outer recurrence goes through an inner one.
# expect: w[i=0] = 1.0
# expect: w[i=1] = 1.75
# expect: w[i=2] = 3.0625
# expect: w[i=3] = 5.359375
# expect: x[i=0, t=0] = 0.0
# expect: x[i=0, t=1] = 1.0
# expect: x[i=0, t=2] = 1.5
# expect: x[i=0, t=3] = 1.75
# expect: x[i=1, t=0] = 0.0
# expect: x[i=1, t=1] = 1.75
# expect: x[i=1, t=2] = 2.625
# expect: x[i=1, t=3] = 3.0625
# expect: x[i=2, t=0] = 0.0
# expect: x[i=2, t=1] = 3.0625
# expect: x[i=2, t=2] = 4.59375
# expect: x[i=2, t=3] = 5.359375

index i in 0..3
index t in 0..3
w[0] = 1.0
x[i, 0] = 0.0
x[i, t+1] = 0.5 * x + w
w[i+1] = x[t: 3]
print w
print x
