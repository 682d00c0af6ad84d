# Through element access and slices of elements.
# expect: g = [3.0, 4.0, 5.0, 5.0]

w = [1.0, 2.0, 3.0, 4.0]
L = w[0] * w[2] + sum(w[1..3]) * w[3]
g = grad(L, w)
print g
