# Where an index ends depends on what the gradient trains: extremes and gathers up to the end, at every step of it.
# expect: G[i=0] = 3.6300004
# expect: G[i=1] = 3.6300004
# expect: G[i=2] = 5.3240004
# expect: H[i=0] = 3.31
# expect: H[i=1] = 3.31
# expect: H[i=2] = 4.641
index i in 0..3
index s in 0..9 until over
p           = 1.0
th[0]       = p
th[i+1]     = th - 0.01 * (G + H)
c[i, 0]     = th
c[i, s+1]   = c * 1.1 + 0.1
over        = c > 1.3
most[i, s]  = max(c[i, s: j] for j in s..end(s))
least[i, s] = argmin(c[i, s: j] for j in s..end(s))
G[i]        = grad(sum(most for s), th)
H[i]        = grad(sum(c[i, s: least] for s), th)
print G
print H
