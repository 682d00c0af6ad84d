# where restricts an equation by a condition on indices.
# expect: x[t=0] = 1.0
# expect: x[t=4] = 1.0

index t in 0..8
x[t] = 1.0 where t % 4 == 0
print x
