# An n-step return bounded by the end.
# expect: G[t=0] = 7.0
# expect: G[t=1] = 11.0
# expect: G[t=2] = 15.0
# expect: G[t=3] = 19.0
# expect: G[t=4] = 30.0

param T = 5
param n = 2
index t in 0..T
r = t + 1.0
v[t in 0..=T] = 10.0 * t
G = sum(0.5 ^ (k - t) * r[k] for k in t..min(t + n, T)) + 0.5 ^ (min(t + n, T) - t) * v[min(t + n, T)]
print G
