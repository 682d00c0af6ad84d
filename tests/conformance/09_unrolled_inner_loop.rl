# A gradient through an inner recurrence at every outer step.
# expect: w[i=0] = 2.0
# expect: w[i=1] = 1.8218752
# expect: w[i=2] = 1.687544591

param lr = 0.2
index i in 0..2
index u in 0..3
w[0] = 2.0
v[i, 0] = 0.0
v[i, u+1] = v - lr * 2.0 * (v - w)
w[i+1] = w - lr * grad((v[u: 3] - 1.0) ^ 2, w)
print w
