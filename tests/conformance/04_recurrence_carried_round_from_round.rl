# A round of its own between fixed ones, from which the next goes on.
# expect: y[v=0] = 71
# expect: y[v=1] = 57
# expect: y[v=2] = 114
# expect: y[v=3] = 228
# expect: y[v=4] = 456
# expect: y[v=5] = 912

index v in 0..6
index g in 0..8
w[0, g in 0..=8]   = g * g + 1
w[1, 0]            = 7
w[1, g+1]          = w[0, g] + 1
w[v+2, g in 0..=8] = 2 * w[v+1, g] where v < 5
y[v]               = w[v, 8] + 3 * w[v, 1]
print y
