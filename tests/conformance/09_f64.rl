# Gradients of f64 are f64.
# expect: close = true
# expect: g = 0.03

param x: f64 = 0.1
g = grad(x ^ 3, x)
print "close", abs(g - f64(0.03)) < f64(1e-15)
print g
