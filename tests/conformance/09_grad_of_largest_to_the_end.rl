# The largest of what is left has no value where nothing is left: neither it nor its gradient is asked for there.
# expect: L = 1.7860001
# expect: grad = 9.46
# expect: M = 0.025000002
# expect: grad M = 0.10000001
index b in 0..3
index s in 0..7 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b % 2
done      = n >= 1
param p   = 0.5
v[b, s]   = p * n + 0.1
L         = sum(v * max(v[b, s: j] * v for j in 0..end(s)) for b, s)
print L
print "grad", grad(L, p)

index i in 0..4
index t in 0..7 until over
m[i, 0]   = 0
m[i, t+1] = m + 1 + i % 2
over      = m >= 2
x[i, t]   = 0.25 * m * p
y[i, t]   = 0.2 * max(x[i, t: j] for j in t..end(t))
M         = sum(y * y for i, t)
print M
print "grad M", grad(M, p)
