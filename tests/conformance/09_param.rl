# The gradient of a scalar with respect to a float param.
# expect: g = 8.0

param w = 3.0
L = w ^ 2 + 2.0 * w
g = grad(L, w)
print g
