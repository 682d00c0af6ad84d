# The equation without subscripts gives the indices, their order and their names.
# expect: A[i=0, t=0] = 101
# expect: A[i=0, t=1] = 101
# expect: A[i=0, t=2] = 100
# expect: A[i=1, t=0] = 121
# expect: A[i=1, t=1] = 111
# expect: A[i=1, t=2] = 100

index i in 0..2
index t in 0..2
A[i, end(t)] = 100
A = A[t+1] + 10 * i + t
print A
