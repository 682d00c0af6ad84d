# The second derivative through a recurrence.
# tolerance: 1e-4
# expect: k = -0.09311058428

param w = 0.8
index t in 0..3
h[0] = 0.5
h[t+1] = tanh(w * h + 0.2)
g = grad(h[3], w)
k = grad(g, w)
print k
