# An empty sum is 0, an empty prod 1.
# expect: s[t=0] = 0.0
# expect: s[t=1] = 1.0
# expect: s[t=2] = 3.0
# expect: p[t=0] = 1.0
# expect: p[t=1] = 1.0
# expect: p[t=2] = 2.0

index t in 0..3
x = t + 1.0
s = sum(x[k] for k in 0..t)
p = prod(x[k] for k in 0..t)
print s; print p
