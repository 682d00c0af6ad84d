# A subscript may combine two indices: a convolution.
# expect: y[t=0] = 2
# expect: y[t=1] = 2
# expect: y[t=2] = 2
# expect: y[t=3] = 2

param n = 4
index t in 0..n
x[k in 0..6] = k * k
w = [1, -2, 1]
index k in 0..6
y[t] = sum(w[j] * x[t + j] for j in 0..3)
print y
