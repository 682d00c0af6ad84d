# A filter on data.
# expect: sum = 12.0
# expect: mean = 4.0
# expect: max = 4.0
# expect: argmin = 3
# expect: var = 2.1875

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "sum", sum(x for t if x > 2.0)
print "mean", mean(x for t if x > 2.0)
print "max", max(x for t if x < 4.5)
print "argmin", argmin(x for t if x > 0.0)
print "var", var(x for t if x > 0.0)
