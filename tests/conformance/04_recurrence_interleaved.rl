# One tensor runs forward and another backward over its result.
# expect: h[t=0] = 15
# expect: h[t=1] = 29
# expect: h[t=2] = 41
# expect: h[t=3] = 49

param T = 3
index t in 0..T
x[0] = 1
x[t+1] = 2 * x
g[T] = x[T]
g[t] = g[t+1] + x
h[0] = g[0]
h[t+1] = h + g[t+1]
print h
