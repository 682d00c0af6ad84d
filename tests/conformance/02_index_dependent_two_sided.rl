# Both bounds may depend on earlier indices, with min and max.
# expect: x[i=0, j=0] = 0
# expect: x[i=0, j=1] = 1
# expect: x[i=1, j=0] = 10
# expect: x[i=1, j=1] = 11
# expect: x[i=1, j=2] = 12
# expect: x[i=2, j=1] = 21
# expect: x[i=2, j=2] = 22
# expect: x[i=2, j=3] = 23
# expect: x[i=3, j=2] = 32
# expect: x[i=3, j=3] = 33
# expect: x[i=4, j=3] = 43

index i in 0..5
index j in max(0, i - 1)..min(i + 2, 4)
x = 10 * i + j
print x
