# An index that ends at another point for each point of one that ends: past the outer end, the inner one has none.
# expect: first = 2.7091982
# expect: other = 2.1249995
index b in 0..5
index s in 0..9 until done
index h in 0..5 until enough
param p = 0.83
n[b, 0]      = 0
n[b, s+1]    = n + 1 + b % 2
done         = n >= 4
k[b, s, 0]   = p
k[b, s, h+1] = k * 1.5 + 0.1 * n
enough       = k > 1.5
y[b, 0]      = 1.0 - p * 0.5
y[b, s+1]    = y * p + 0.1
x[b, s]      = p * n + 0.1 * sum(p * k + n for h)
v[b, s]      = 0.5 * x[b, s: 0]
u[b, s]      = 0.5 + 0.1 * sum(y[b, s: min(h, s)] * k for h)
print "first", grad(sum(v * v for b, s), p)
print "other", grad(sum(u * 0.5 for b, s), p)
