# What ends early shares a loop with a tensor over more points: the points past the end of one part are no other part's.
# expect: m[c=0, s=0] = 0
# expect: m[c=0, s=1] = 1
# expect: m[c=0, s=2] = 2
# expect: m[c=0, s=3] = 3
# expect: m[c=0, s=4] = 4
# expect: m[c=1, s=0] = 0
# expect: m[c=1, s=1] = 2
# expect: m[c=1, s=2] = 4
# expect: m[c=1, s=3] = 6
# expect: m[c=2, s=0] = 0
# expect: m[c=2, s=1] = 1
# expect: m[c=2, s=2] = 2
# expect: m[c=2, s=3] = 3
# expect: m[c=2, s=4] = 4
# expect: y[c=0] = -1.0
# expect: y[c=1] = -1.5
# expect: y[c=2] = -1.5
# expect: y[c=3] = -1.5

index c in 0..3
index s in 0..4 until done
m[c, 0]   = 0
m[c, s+1] = m + 1 + c % 2
done      = m >= 4
y[c+1]    = 0.5 % 13 - 2
y[0]      = 1 % 13 - 2
print m
print y
