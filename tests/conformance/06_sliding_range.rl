# A window with min and max at the borders.
# expect: s[t=0] = 2.0
# expect: s[t=1] = 6.0
# expect: s[t=2] = 4.0
# expect: s[t=3] = 10.0
# expect: s[t=4] = 6.0
# expect: m[t=0] = 3.0
# expect: m[t=1] = 1.0
# expect: m[t=2] = 2.0
# expect: m[t=3] = 1.333333333
# expect: m[t=4] = 3.333333333
# expect: n[t=0] = -1.0
# expect: n[t=1] = -1.0
# expect: n[t=2] = 1.0
# expect: n[t=3] = 1.0
# expect: n[t=4] = 5.0

param T = 5
index t in 0..T
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]
s = sum(x[k] for k in max(0, t - 1)..min(t + 2, T))
m = mean(x[k] for k in max(0, t - 2)..t+1)
n = min(x[k] for k in t..min(t + 3, T))
print s
print m
print n
