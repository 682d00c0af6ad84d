# Two networks with a requirement each: what is told is the first sample's, however their layers are taken apart.
# fault: first
param H = 64
index l in 0..2
index k in 0..64
x[l, k]  ~ Normal(zeros([3]), 1.0)
rw[l, k] ~ Normal(0.0, 1.0)
A[0]     ~ Normal(zeros([H, 3]), 0.1)
V[0]     ~ Normal(zeros([H, H]), 0.1)
C[0]     ~ Normal(zeros([H, 3]), 0.1)
W[0]     ~ Normal(zeros([H, H]), 0.1)
a[l, k]  = sum(tanh(V @ tanh(A @ x)))
b[l, k]  = sum(tanh(W @ tanh(C @ x)))
s[l, k]  = a + require(rw, not (k >= 27 and rw < 1e9), "first")
t[l, k]  = b + require(a, not (k >= 53 and rw < 1e9), "second")
L[l]     = mean((s - rw)^2 + (s - t)^2 for k)
V[l+1]   = V - 0.001 * grad(L, V)
W[l+1]   = W - 0.001 * grad(L, W)
A[l+1]   = A - 0.001 * grad(L, A)
C[l+1]   = C - 0.001 * grad(L, C)
print L
