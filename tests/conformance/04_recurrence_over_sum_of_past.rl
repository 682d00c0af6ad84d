# Each point is a sum over all earlier ones.
# expect: x[t=0] = 1
# expect: x[t=1] = 1
# expect: x[t=2] = 2
# expect: x[t=3] = 4
# expect: x[t=4] = 8
# expect: x[t=5] = 16

index t in 0..5
x[0] = 1
x[t+1] = sum(x[k] for k in 0..t+1)
print x
