# A condition on indices is lazy: the read happens only where it holds.
# expect: x[t=0] = 1.0
# expect: x[t=1] = 2.0
# expect: x[t=2] = 4.0
# expect: x[t=3] = 8.0
# expect: x[t=4] = 16.0

index t in 0..5
x[t] = if t == 0 then 1.0 else 2.0 * x[t-1]
print x
