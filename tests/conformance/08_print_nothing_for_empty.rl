# A print over no points prints nothing.
# expect: end = 1

index t in 0..0
x[t] = t
print x
print "end", 1
