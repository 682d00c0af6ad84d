# Lengths agree where they are provably equal, whatever the bounds.
# expect: d[t=0] = 4
# expect: d[t=1] = 11
# expect: d[t=2] = 20
# expect: d[t=3] = 30

param T = 4
index t in 0..T
x = t + 1
d[t] = dot(x[0..t+1], x[T - t - 1..T])
print d
