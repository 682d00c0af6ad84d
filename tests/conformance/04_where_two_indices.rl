# where may relate two indices.
# expect: x[i=0, j=0] = 0
# expect: x[i=0, j=1] = 1
# expect: x[i=0, j=2] = 2
# expect: x[i=1, j=1] = 11
# expect: x[i=1, j=2] = 12
# expect: x[i=2, j=2] = 22

index i in 0..3
index j in 0..3
x[i, j] = 10 * i + j where i <= j
print x
