# sum, mean, prod over a range.
# expect: sum = 12.0
# expect: mean = 2.25
# expect: prod = -12.0

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "sum", sum(x[k] for k in 0..5)
print "mean", mean(x[k] for k in 1..5)
print "prod", prod(x[k] for k in 0..4)
