# A grid: each point reads the one above while the row below is written.
# expect: y[v=0] = 15
# expect: y[v=1] = 51
# expect: y[v=2] = 125

index v in 0..3
index g in 0..4
w[0, g in 0..=4] = g * 2 + 7
w[v+1, 0]        = 3
w[v+1, g+1]      = w[v+1, g] + w[v, g+1]
y[v]             = w[v, 4]
print y
