# An empty max that depends on data is a run-time error.
# fault: max

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

param limit = 100.0
y = max(x for t if x > limit)
print y
