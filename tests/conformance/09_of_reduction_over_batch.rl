# The mean over a batch of losses through a recurrence.
# expect: g = 24.5

param w = 0.5
index b in 0..3
index t in 0..2
h[b, 0] = b + 1.0
h[b, t+1] = w * h ^ 2
L = mean(h[t: 2] for b)
g = grad(L, w)
print g
