# The step may be written at any shift; the base case may be negative.
# expect: x[t=-1] = 10
# expect: x[t=0] = 10
# expect: x[t=1] = 11
# expect: x[t=2] = 13
# expect: x[t=3] = 16

index t in 0..4
x[-1] = 10
x[t] = x[t-1] + t
print x
