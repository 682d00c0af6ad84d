# Two recurrences that read each other; each lane ends at a point of its own.
# tolerance: 1e-4
# expect: L[i=0] = -5.150047
# expect: L[i=1] = -4.5605235
index i in 0..2
index b in 0..256
index s in 0..8 until done
param lr = 0.001
w[0] = 0.01
n[i, b, 0] = 0
n[i, b, s+1] = n + 1
x0[i, b] ~ Uniform(-0.05, 0.05)
v0[i, b] ~ Uniform(-0.05, 0.05)
x[i, b, 0] = x0
v[i, b, 0] = v0
a[i, b, s] = tanh(w * x + 0.5 * w * v)
x[i, b, s+1] = x + 0.02 * v
v[i, b, s+1] = v + 0.02 * (sin(x) * 9.8 + a * 10.0)
done = abs(x) > 0.03
r[i, b, s] = 1.0 - x * x - 0.1 * a * a
G[i, b] = sum(r for s)
L[i] = -mean(G for b)
g[i] = grad(L, w)
w[i+1] = w - lr * g
print L
