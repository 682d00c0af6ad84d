# A range with hi <= lo has no points, which is no error.
# expect: count = 0

index t in 3..3
index k in 3..1
x[t] = t
y[k] = k
print x
print y
print "count", sum(1 for t)
