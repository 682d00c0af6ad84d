# The range of an index shrinks with another: differences.
# expect: D[i=0, j=0] = 1
# expect: D[i=0, j=1] = 4
# expect: D[i=0, j=2] = 9
# expect: D[i=0, j=3] = 20
# expect: D[i=1, j=0] = 3
# expect: D[i=1, j=1] = 5
# expect: D[i=1, j=2] = 11
# expect: D[i=2, j=0] = 2
# expect: D[i=2, j=1] = 6
# expect: D[i=3, j=0] = 4

param n = 4
q = [1, 4, 9, 20]
index i in 0..n
index j in 0..n - i
D[i, j] = if i == 0 then q[j] else D[i-1, j+1] - D[i-1, j]
print D
