# max and min over a range.
# expect: max = 4.0
# expect: min = 1.0

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "max", max(x[k] for k in 0..4)
print "min", min(x[k] for k in 2..5)
