# where ends an equation.
# expect: x[t=1] = 2
# expect: x[t=2] = 3

index t in 0..4
x[t] = 1 + t where t > 0 and t < 3
print x
