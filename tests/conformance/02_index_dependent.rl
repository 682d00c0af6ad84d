# Bounds may mention indices declared before.
# expect: x[i=1, j=0] = 10
# expect: x[i=2, j=0] = 20
# expect: x[i=2, j=1] = 21
# expect: x[i=3, j=0] = 30
# expect: x[i=3, j=1] = 31
# expect: x[i=3, j=2] = 32

index i in 0..4
index j in 0..i
x = 10 * i + j
print x
