# Gradient descent is a recurrence; the gradient is that of each iteration.
# expect: w[i=0] = 0.0
# expect: w[i=1] = 0.6
# expect: w[i=2] = 1.08
# expect: w[i=3] = 1.464
# expect: w[i=4] = 1.7712
# expect: w[i=5] = 2.01696

index i in 0..5
w[0] = 0.0
L = (w - 3.0) ^ 2
w[i+1] = w - 0.1 * grad(L, w)
print w
