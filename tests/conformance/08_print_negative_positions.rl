# Positions may be negative.
# expect: x[t=-2] = -2
# expect: x[t=-1] = -1

index t in -2..0
x[t] = t
print x
