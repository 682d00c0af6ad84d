# Through a recurrence of vectors.
# expect: g = [[0.835653419, 0.4886209097], [0.1442602101, 0.3097814376]]

W = [[0.5, -0.3], [0.2, 0.4]]
index t in 0..3
h[0] = [1.0, 0.0]
h[t+1] = tanh(W @ h + 0.1)
L = sum(h[3])
g = grad(L, W)
print g
