# A gradient through gradient descent, by the learning rate.
# expect: g = -35.38944

param lr = 0.1
index i in 0..3
w[0] = 0.0
L = (w - 3.0) ^ 2
w[i+1] = w - lr * grad(L, w)
g = grad((w[3] - 3.0) ^ 2, lr)
print g
