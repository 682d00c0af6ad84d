# Through a gather of rows of a table.
# expect: g = [[2.0, 20.0], [0.0, 0.0], [4.0, 40.0]]

index k in 0..3
W = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
row = [2, 0, 2][k] % 3
L = sum(dot(W[row], [1.0, 10.0]) * (k + 1.0) for k)
g = grad(L, W)
print g
