# Others may add points to an equation without subscripts.
# expect: A[t=0] = 13
# expect: A[t=1] = 13
# expect: A[t=2] = 12
# expect: A[t=3] = 10

index t in 0..3
A = A[t+1] + t
A[end(t)] = 10
print A
