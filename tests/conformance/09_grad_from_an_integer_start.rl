# A weight that starts at `1` is a float, by the derivative that it is changed by.
# expect: w[i=0] = 1.0
# expect: w[i=1] = 1.2
# expect: w[i=2] = 1.36

index i in 0..2
w[0] = 1
loss = (w - 2)^2
w[i+1] = w - 0.1 * grad(loss, w)
print w
