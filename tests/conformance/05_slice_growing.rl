# A slice whose length varies with an index.
# expect: s[t=0] = 1
# expect: s[t=1] = 3
# expect: s[t=2] = 6
# expect: s[t=3] = 10
# expect: p[t=0] = 1
# expect: p[t=1] = 2
# expect: p[t=2] = 6
# expect: p[t=3] = 24
# expect: m[t=0] = 1
# expect: m[t=1] = 2
# expect: m[t=2] = 3
# expect: m[t=3] = 4
# expect: a[t=0] = 1.0
# expect: a[t=1] = 1.5
# expect: a[t=2] = 2.0
# expect: a[t=3] = 2.5

index t in 0..4
x = t + 1
s = sum(x[0..t+1])
p = prod(x[0..t+1])
m = max(x[0..t+1])
a = mean(x[0..t+1])
print s; print p; print m; print a
