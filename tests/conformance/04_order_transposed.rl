# Two tensors that read each other transposed.
# expect: x[i=0, j=0] = 0
# expect: x[i=0, j=1] = 2
# expect: x[i=0, j=2] = 4
# expect: x[i=1, j=0] = 1
# expect: x[i=1, j=1] = 4
# expect: x[i=1, j=2] = 9
# expect: x[i=2, j=0] = 2
# expect: x[i=2, j=1] = 7
# expect: x[i=2, j=2] = 17

index i in 0..3
index j in 0..3
x[i, j] = if i == 0 or j == 0 then i + 2 * j else y[j, i] + 1
y[j, i] = if i == 0 or j == 0 then 0 else x[i-1, j] + x[i, j-1]
print x
