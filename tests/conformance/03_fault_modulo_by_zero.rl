# Integer modulo by 0 is a run-time error.
# fault: t=3

index t in 0..4
x[t] = 12 % (3 - t)
print x
