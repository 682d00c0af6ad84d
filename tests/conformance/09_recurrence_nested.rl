# Through a recurrence inside a recurrence.
# expect: g = 2.503142104

param w = 0.9
index i in 0..2
index t in 0..3
x[0] = 1.0
y[i, 0] = x
y[i, t+1] = sin(w * y) + 0.1
x[i+1] = w * y[t: 3]
L = x[2]
g = grad(L, w)
print g
