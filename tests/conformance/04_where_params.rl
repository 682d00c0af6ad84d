# The condition of where may mention params.
# expect: x[t=2] = 2
# expect: x[t=4] = 4

param n = 2
index t in 0..5
x[t] = t where t >= n and t != n + 1
print x
