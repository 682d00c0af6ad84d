# argmax of a range is the value of its variable.
# expect: a = 2
# expect: b = 3
# expect: c = 4

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "a", argmax(x[k] for k in 1..4)
print "b", argmin(x[k] for k in 2..5)
print "c", argmax(x for t)
