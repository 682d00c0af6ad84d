# // and % of integers computed at run time floor, too.
# expect: q[t=-4] = -2
# expect: q[t=-3] = -1
# expect: q[t=-2] = -1
# expect: q[t=-1] = -1
# expect: q[t=0] = 0
# expect: q[t=1] = 0
# expect: q[t=2] = 0
# expect: q[t=3] = 1
# expect: q[t=4] = 1
# expect: r[t=-4] = 2
# expect: r[t=-3] = 0
# expect: r[t=-2] = 1
# expect: r[t=-1] = 2
# expect: r[t=0] = 0
# expect: r[t=1] = 1
# expect: r[t=2] = 2
# expect: r[t=3] = 0
# expect: r[t=4] = 1
# expect: s[t=-4] = 3
# expect: s[t=-3] = 2
# expect: s[t=-2] = 1
# expect: s[t=-1] = 0
# expect: s[t=0] = -1
# expect: s[t=1] = -2
# expect: s[t=2] = -3
# expect: s[t=3] = -4
# expect: s[t=4] = -5

index t in -4..5
q = t // 3
r = t % 3
s = (2 * t + 1) // -2
print q
print r
print s
