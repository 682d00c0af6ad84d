# The last point of a round reads the middle of the round before.
# expect: y[v=0] = 88
# expect: y[v=1] = 350
# expect: y[v=2] = 501
# expect: y[v=3] = 896
# expect: y[v=4] = 1442
# expect: y[v=5] = 2383

index v in 0..6
index g in 0..8
w[0, g in 0..=9] = g * g + 1
w[v+1, 0]        = w[v, 9]
w[v+1, g+1]      = w[v+1, g] + 1
w[v+1, 9]        = w[v+1, 8] + w[v, 3] + 1
y[v]             = w[v, 9] + 3 * w[v, 1]
print y
