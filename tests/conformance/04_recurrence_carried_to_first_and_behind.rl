# Carried over to the first point and to one behind the last.
# expect: y[v=0] = 11
# expect: y[v=1] = 212
# expect: y[v=2] = 1115
# expect: y[v=3] = 5650
# expect: y[v=4] = 29692
# expect: y[v=5] = 157932

index v in 0..6
index g in 0..8
w[0, g in 0..=8] = g * g + 1
w[v+1, 0]        = w[v, 8]
w[v+1, g+1]      = w[v+1, g] + w[v, g+1]
w[v+1, 9]        = w[v, 3] + 1
w[0, 9]          = 5
y[v]             = w[v, 9] + 3 * w[v, 1]
print y
