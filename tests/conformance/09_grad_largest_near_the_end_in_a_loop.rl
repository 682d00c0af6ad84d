# An extreme over a range that stops at the end, kept for its gradient: where its filter leaves a term out nothing is read.
# expect: L[r=0] = 1.275
# expect: L[r=1] = 1.5472198
# expect: L[r=2] = 1.5351791
index r in 0..3
index b in 0..3
index s in 0..4 until done
param p0 = 0.5
p[0]   = p0
p[r+1] = p - 0.001 * G
G[r]   = grad(L, p)
n[r, b, 0]   = 0
n[r, b, s+1] = n + 1 + b % 2
done      = n * p >= 1
x[r, b, s] = 0.5 * p * n
y[r, b, 0] = p
y[r, b, s+1] = 0.5 * y + 0.2 * max(x[b, s: j] * x for j in s..min(s + 3, end(s)))
L = sum(0.5 * sum(y for s) for b)
print L
