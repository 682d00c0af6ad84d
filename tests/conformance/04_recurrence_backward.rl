# A recurrence may run backward.
# expect: G[t=0] = 3.25
# expect: G[t=1] = 4.5
# expect: G[t=2] = 5.0
# expect: G[t=3] = 4.0
# expect: G[t=4] = 0

param T = 4
index t in 0..T
r[t] = f32(t + 1)
G[T] = 0.0
G[t] = r + 0.5 * G[t+1]
print G
