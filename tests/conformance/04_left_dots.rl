# .. on the left stands for the other free indices in declared order.
# expect: v[i=0, b=0, t=0] = 0
# expect: v[i=0, b=0, t=1] = 1
# expect: v[i=0, b=0, t=2] = 2
# expect: v[i=0, b=1, t=0] = 10
# expect: v[i=0, b=1, t=1] = 11
# expect: v[i=0, b=1, t=2] = 12
# expect: v[i=1, b=0, t=0] = 100
# expect: v[i=1, b=0, t=1] = 101
# expect: v[i=1, b=0, t=2] = 102
# expect: v[i=1, b=1, t=0] = 110
# expect: v[i=1, b=1, t=1] = 111
# expect: v[i=1, b=1, t=2] = 112

param T = 2
index i in 0..2
index b in 0..2
index t in 0..T
u = 10 * b + 100 * i
v[.., t in 0..=T] = u + t
print v
