# A matrix of weights.
# expect: g = [[-1.5, 3.0], [-2.5, 5.0]]
# expect: h = [-18.0, -26.0]

W = [[1.0, 2.0], [3.0, 4.0]]
x = [0.5, -1.0]
y = W @ x
L = sum(y * y)
g = grad(L, W)
h = grad(L, x)
print g; print h
