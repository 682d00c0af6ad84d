# A discounted sum over the rest of a range.
# expect: G[t=0] = 3.25
# expect: G[t=1] = 4.5
# expect: G[t=2] = 5.0
# expect: G[t=3] = 4.0

param T = 4
param gamma = 0.5
index t in 0..T
r = t + 1.0
G = sum(gamma ^ (k - t) * r[k] for k in t..T)
print G
