# Mutual recurrences may read each other at the same point, in an order that exists.
# expect: x[t=0] = 0
# expect: x[t=1] = 1
# expect: x[t=2] = 3
# expect: x[t=3] = 6

index t in 0..3
v[0] = 0
x[0] = 0
v[t+1] = v + 1
x[t+1] = x + v[t+1]
print x
