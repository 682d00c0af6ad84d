# An initial row of two equations that run in different iterations.
# expect: y[v=0, g=0] = 5
# expect: y[v=0, g=1] = 6
# expect: y[v=0, g=2] = 9
# expect: y[v=0, g=3] = 14
# expect: y[v=0, g=4] = 21
# expect: y[v=1, g=0] = 2
# expect: y[v=1, g=1] = 3
# expect: y[v=1, g=2] = 4
# expect: y[v=1, g=3] = 5
# expect: y[v=1, g=4] = 6
# expect: y[v=2, g=0] = 6
# expect: y[v=2, g=1] = 7
# expect: y[v=2, g=2] = 8
# expect: y[v=2, g=3] = 9
# expect: y[v=2, g=4] = 10
# expect: y[v=3, g=0] = 4
# expect: y[v=3, g=1] = 5
# expect: y[v=3, g=2] = 6
# expect: y[v=3, g=3] = 7
# expect: y[v=3, g=4] = 8

index v in 0..8
index g in 0..5
q[0]        = 1
q[1]        = w[0, 3]
q[v+1]      = 3 * q[v] % 7 where v >= 1
w[0, g]     = g * g
w[0, 5]     = 25
w[v+1, g+1] = w[v+1, g] + 1 where v < 3
w[v+1, 0]   = q[v+5] where v < 3
y[v, g]     = w[v, g] + q[v+4] where v < 4
print y
