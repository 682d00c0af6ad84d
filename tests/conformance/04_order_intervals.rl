# A dynamic programme over intervals: the matrix chain.
# expect: m[i=0, j=0] = 0
# expect: m[i=0, j=1] = 24
# expect: m[i=0, j=2] = 28
# expect: m[i=0, j=3] = 58
# expect: m[i=1, j=1] = 0
# expect: m[i=1, j=2] = 16
# expect: m[i=1, j=3] = 36
# expect: m[i=2, j=2] = 0
# expect: m[i=2, j=3] = 40
# expect: m[i=3, j=3] = 0

p = [3, 2, 4, 2, 5]
index i in 0..4
index j in i..4
m[i, j] = if i == j then 0 else min(m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1] for k in i..j)
print m
