# Positions are any integers: nothing counts from the end.
# expect: x[t=-2] = 4
# expect: x[t=-1] = 1
# expect: x[t=0] = 0
# expect: x[t=1] = 1
# expect: y = 1

index t in -2..2
x[t] = t * t
print x
y = x[-1]
print y
