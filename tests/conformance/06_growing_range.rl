# A range may grow with an index.
# expect: s[t=0] = 3.0
# expect: s[t=1] = 2.0
# expect: s[t=2] = 6.0
# expect: s[t=3] = 7.0
# expect: s[t=4] = 12.0
# expect: m[t=0] = 3.0
# expect: m[t=1] = 3.0
# expect: m[t=2] = 4.0
# expect: m[t=3] = 4.0
# expect: m[t=4] = 5.0
# expect: a[t=0] = 0
# expect: a[t=1] = 0
# expect: a[t=2] = 2
# expect: a[t=3] = 2
# expect: a[t=4] = 4

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

s = sum(x[k] for k in 0..t+1)
m = max(x[k] for k in 0..t+1)
a = argmax(x[k] for k in 0..t+1)
print s
print m
print a
