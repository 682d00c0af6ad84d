# Reducing a range keeps the element's shape.
# expect: sum = [3.0, 24.0]
# expect: mean = [1.0, 8.0]
# expect: max = [2.0, 10.0]

index t in 0..3
x = [f32(t), 10.0 - 2.0 * t]
print "sum", sum(x for t)
print "mean", mean(x for t)
print "max", max(x for t)
