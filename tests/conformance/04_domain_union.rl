# The domain of a tensor is the union of what its equations define.
# expect: x[t=0] = 1
# expect: x[t=1] = 1
# expect: x[t=3] = 2
# expect: x[t=4] = 2
# expect: x[t=7] = 3

index t in 0..2
x[t] = 1
x[t+3] = 2
x[7] = 3
print x
