# Integer division by 0 is a run-time error that names the index point.
# fault: t=2

index t in 0..4
x[t] = 12 // (2 - t)
print x
