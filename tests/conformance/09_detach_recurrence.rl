# Truncated back-propagation: detach inside a recurrence.
# expect: g = 2.75

param w = 0.5
index t in 0..4
h[0] = 1.0
h[t+1] = w * (if t == 2 then detach(h) else h) + 1.0
g = grad(h[4], w)
print g
