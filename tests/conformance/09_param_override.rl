# At another value of the param.
# args: w=2.0
# expect: g = 12.0

param w = 3.0
L = w ^ 3
g = grad(L, w)
print g
