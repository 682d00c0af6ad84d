# The result has the type of what is differentiated by.
# expect: g = [2.0, -3.0, 6.0]

w = [1.0, -2.0, 3.0]
L = sum(w * w) + w[1]
g = grad(L, w)
print g
