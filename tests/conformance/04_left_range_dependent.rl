# A range on the left may mention indices to its left.
# expect: x[i=1, j=0] = 10
# expect: x[i=2, j=0] = 20
# expect: x[i=2, j=1] = 21
# expect: x[i=3, j=0] = 30
# expect: x[i=3, j=1] = 31
# expect: x[i=3, j=2] = 32

index i in 0..4
index j in 0..2
x[i, j in 0..i] = 10 * i + j
print x
