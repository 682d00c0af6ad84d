# A grid in lanes: each point reads the one above while the row below is written.
# expect: y[v=0] = 940
# expect: y[v=1] = 3268
# expect: y[v=2] = 3954
# expect: y[v=3] = 3625
# expect: y[v=4] = 4013

index b in 0..40
index v in 0..5
index g in 0..4
w[b, 0, g in 0..=4] = b + g
w[b, v+1, 0]        = w[b, v, 4] % 77
w[b, v+1, g+1]      = w[b, v+1, g] + 2 * w[b, v, g+1] % 31
y[v]                = sum(w[b, v, 4] for b)
print y
