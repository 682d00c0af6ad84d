# Carried over to the first point of a loop whose points are computed at once.
# expect: y[v=0] = 0
# expect: y[v=1] = 1
# expect: y[v=2] = 2
# expect: y[v=3] = 3

index v in 0..4
index g in 0..5
w[0, g in 0..=5] = g * g
w[v+1, g+1]      = w[v, g+1] + 1
w[v+1, 0]        = w[v, 1]
y[v]             = w[v, 0]
print y
