# An initial row that the other rounds' rows begin long after, read along their loop.
# expect: y[v=0, g=0] = 3
# expect: y[v=0, g=1] = 4
# expect: y[v=0, g=2] = 7
# expect: y[v=0, g=3] = 12
# expect: y[v=0, g=4] = 19
# expect: y[v=1, g=0] = 38
# expect: y[v=1, g=1] = 38
# expect: y[v=1, g=2] = 39
# expect: y[v=1, g=3] = 41
# expect: y[v=1, g=4] = 44
# expect: y[v=2, g=0] = 50
# expect: y[v=2, g=1] = 50
# expect: y[v=2, g=2] = 51
# expect: y[v=2, g=3] = 53
# expect: y[v=2, g=4] = 56
# expect: y[v=3, g=0] = 16
# expect: y[v=3, g=1] = 16
# expect: y[v=3, g=2] = 17
# expect: y[v=3, g=3] = 19
# expect: y[v=3, g=4] = 22
# expect: y[v=4, g=0] = 23
# expect: y[v=4, g=1] = 23
# expect: y[v=4, g=2] = 24
# expect: y[v=4, g=3] = 26
# expect: y[v=4, g=4] = 29
# expect: y[v=5, g=0] = 38
# expect: y[v=5, g=1] = 38
# expect: y[v=5, g=2] = 39
# expect: y[v=5, g=3] = 41
# expect: y[v=5, g=4] = 44
# expect: y[v=6, g=0] = 49
# expect: y[v=6, g=1] = 49
# expect: y[v=6, g=2] = 50
# expect: y[v=6, g=3] = 52
# expect: y[v=6, g=4] = 55
# expect: y[v=7, g=0] = 19
# expect: y[v=7, g=1] = 19
# expect: y[v=7, g=2] = 20
# expect: y[v=7, g=3] = 22
# expect: y[v=7, g=4] = 25
# expect: y[v=8, g=0] = 31
# expect: y[v=8, g=1] = 31
# expect: y[v=8, g=2] = 32
# expect: y[v=8, g=3] = 34
# expect: y[v=8, g=4] = 37
# expect: y[v=9, g=0] = 47
# expect: y[v=9, g=1] = 47
# expect: y[v=9, g=2] = 48
# expect: y[v=9, g=3] = 50
# expect: y[v=9, g=4] = 53
# expect: y[v=10, g=0] = 4
# expect: y[v=10, g=1] = 4
# expect: y[v=10, g=2] = 5
# expect: y[v=10, g=3] = 7
# expect: y[v=10, g=4] = 10

index v in 0..20
index g in 0..5
q[0]               = 1
q[1]               = w[0, 3]
q[v+1]             = q[v] * 3 % 7 where v >= 1
w[0, g in 0..=5]   = q[0] + g * g
w[v+1, 0]          = w[v, 5] % 50 + q[v+9] where v < 10
w[v in 1..11, g+1] = w[v, g] + g
y[v, g]            = w[v, g] + q[v+8] where v < 11
print y
