# Two points that rounds exchange have two places each.
# expect: y[v=0] = 201
# expect: y[v=1] = 1102
# expect: y[v=2] = 1211
# expect: y[v=3] = 2112
# expect: y[v=4] = 2221

index v in 0..5
w[0, 0]   = 1
w[0, 1]   = 2
w[v+1, 0] = w[v, 1]
w[v+1, 1] = w[v, 0] + 10
y[v]      = w[v, 0] + 100 * w[v, 1]
print y
