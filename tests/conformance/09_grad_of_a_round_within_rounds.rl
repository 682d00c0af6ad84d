# Rounds within rounds of rounds, each of whose steps reads how its round began.
# expect: w[2, 0, 0] = 0.19198874

index i in 0..2
index u in 0..2
index m in 0..2
w[0, 0, 0] = 0.1
A[i] = 2.0 * w[i, 0, 0]
L = (w - A)^2
w[i, u, m+1] = w - 0.1 * detach(grad(L, w))
w[i, u+1, 0] = w[i, u, 2]
w[i+1, 0, 0] = w[i, 2, 0]
print w[2, 0, 0]
