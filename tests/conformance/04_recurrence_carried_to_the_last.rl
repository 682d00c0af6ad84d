# What is carried over to the last point reads one that is written before it.
# expect: y[v=0] = 71
# expect: y[v=1] = 19
# expect: y[v=2] = 23
# expect: y[v=3] = 27
# expect: y[v=4] = 31
# expect: y[v=5] = 35

index v in 0..6
index g in 0..8
w[0, g in 0..=8] = g * g + 1
w[v+1, g]        = w[v, g] + 1
w[v+1, 8]        = w[v, 3]
y[v]             = w[v, 8] + 3 * w[v, 1]
print y
