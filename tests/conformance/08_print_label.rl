# print with a label.
# expect: twice[t=0] = 0
# expect: twice[t=1] = 2
# expect: sum of all = 2

index t in 0..2
x[t] = 2 * t
print "twice", x
print "sum of all", sum(x for t)
