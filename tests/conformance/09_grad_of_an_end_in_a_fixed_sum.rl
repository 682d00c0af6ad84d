# As above, of a sum.
# expect: grad(L, p) = 3.0
param p: f64 = 0.5
index s in 0..3 until d
x[0]   = p
x[s+1] = p
d[s]   = s == 1
L = sum(p * x[j] for j in 0..3)
print grad(L, p)
