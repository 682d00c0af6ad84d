# Inner backward recurrence, outer forward one.
# expect: v[i=0, t=0] = 0
# expect: v[i=0, t=1] = 0
# expect: v[i=0, t=2] = 0
# expect: v[i=0, t=3] = 0
# expect: v[i=1, t=0] = 4
# expect: v[i=1, t=1] = 4
# expect: v[i=1, t=2] = 3
# expect: v[i=1, t=3] = 1
# expect: v[i=2, t=0] = 15
# expect: v[i=2, t=1] = 11
# expect: v[i=2, t=2] = 6
# expect: v[i=2, t=3] = 1

param T = 3
index i in 0..2
index t in 0..T
v[0, t in 0..=T] = 0
v[i+1, T] = 1
v[i+1, t] = v[i+1, t+1] + v[i, t] + t
print v
