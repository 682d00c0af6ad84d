# A gradient through reparameterized draws in a recurrence.
# expect: steps = 0.0

param w = 0.5
index t in 0..3
x[0] = 1.0
x[t+1] ~ reparam(Normal(w * x, 0.1))
y[0] = 1.0
y[t+1] = w * y + x[t+1] - w * x
g = grad(x[3], w)
h = grad(y[3], w) + 0.0 * g
print "steps", g - (x[2] + w * x[1] + w ^ 2 * x[0])
