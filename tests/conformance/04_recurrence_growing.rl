# The range of an index grows with another: Pascal's triangle.
# expect: C[i=0, j=0] = 1
# expect: C[i=1, j=0] = 1
# expect: C[i=1, j=1] = 1
# expect: C[i=2, j=0] = 1
# expect: C[i=2, j=1] = 2
# expect: C[i=2, j=2] = 1
# expect: C[i=3, j=0] = 1
# expect: C[i=3, j=1] = 3
# expect: C[i=3, j=2] = 3
# expect: C[i=3, j=3] = 1
# expect: C[i=4, j=0] = 1
# expect: C[i=4, j=1] = 4
# expect: C[i=4, j=2] = 6
# expect: C[i=4, j=3] = 4
# expect: C[i=4, j=4] = 1

index i in 0..5
index j in 0..=i
C[i, j] = if j == 0 or j == i then 1 else C[i-1, j-1] + C[i-1, j]
print C
