# sum of bool counts; mean of bool is a fraction.
# expect: a = 3
# expect: b = 0.6
# expect: c = 2

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "a", sum(x > 2.0 for t)
print "b", mean(x > 2.0 for t)
print "c", sum([true, false, true])
