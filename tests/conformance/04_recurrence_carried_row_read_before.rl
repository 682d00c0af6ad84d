# An initial row that the other rounds' rows begin long after, read before their loop.
# expect: y[v=0] = 26
# expect: y[v=1] = 63
# expect: y[v=2] = 80
# expect: y[v=3] = 62
# expect: y[v=4] = 50
# expect: y[v=5] = 70
# expect: y[v=6] = 54
# expect: y[v=7] = 48
# expect: y[v=8] = 122
# expect: y[v=9] = 61
# expect: y[v=10] = 56

index v in 0..20
index g in 0..5
q[0]               = 1
q[1]               = w[0, 3]
q[v+1]             = q[v] * 3 % 7 where v >= 1
w[0, g in 0..=5]   = q[0] + g * g
a[v]               = w[0, v] * 10 + q[v+5] where v < 3
a[v]               = q[v+5] + a[v-3] where v >= 3 and v < 15
w[v+1, 0]          = w[v, 5] % 50 + a[v+4] where v < 10
w[v in 1..11, g+1] = w[v, g] + g
y[v]               = w[v, 5] where v < 11
print y
