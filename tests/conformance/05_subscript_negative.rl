# A subscript may be negative where the domain is.
# expect: y[t=-3] = 20
# expect: y[t=-2] = 10
# expect: y[t=-1] = 0
# expect: y[t=0] = -10
# expect: y[t=1] = -20
# expect: y[t=2] = -30

index t in -3..3
x = 10 * t
y = x[-t - 1]
print y
