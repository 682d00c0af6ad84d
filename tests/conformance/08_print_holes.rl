# Only points that are defined are printed.
# expect: x[t=1] = 1
# expect: x[t=5] = 5

index t in 0..9
x[t] = t where t % 4 == 1
print x
