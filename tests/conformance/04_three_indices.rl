# A recurrence along the middle of three indices.
# expect: x[i=0, t=0, k=0] = 0
# expect: x[i=0, t=0, k=1] = 1
# expect: x[i=0, t=1, k=0] = 1
# expect: x[i=0, t=1, k=1] = 3
# expect: x[i=0, t=2, k=0] = 3
# expect: x[i=0, t=2, k=1] = 7
# expect: x[i=1, t=0, k=0] = 1
# expect: x[i=1, t=0, k=1] = 2
# expect: x[i=1, t=1, k=0] = 3
# expect: x[i=1, t=1, k=1] = 5
# expect: x[i=1, t=2, k=0] = 7
# expect: x[i=1, t=2, k=1] = 11

index i in 0..2
index t in 0..2
index k in 0..2
x[i, 0, k] = i + k
x[i, t+1, k] = 2 * x + 1
print x
