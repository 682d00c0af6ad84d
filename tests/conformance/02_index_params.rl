# Bounds are integer expressions of params.
# expect: x[t=2] = 2
# expect: x[t=3] = 3
# expect: x[t=4] = 4
# expect: x[t=5] = 5

param n = 3
index t in n - 1..2 * n
x[t] = t
print x
