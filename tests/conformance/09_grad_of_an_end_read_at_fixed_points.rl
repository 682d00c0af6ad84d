# The point at the end is among those that the loss reads, and none behind it.
# expect: grad(L, p) = 3.0
param p = 0.5
index s in 0..3 until d
x[0]   = p
x[s+1] = p
d[s]   = s == 1
L = x[0] + x[1] + x[2]
print grad(L, p)
