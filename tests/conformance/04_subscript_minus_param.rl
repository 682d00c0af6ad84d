# A left-hand subscript is an index plus an integer expression of params.
# expect: x[t=-2] = 0
# expect: x[t=-1] = 10
# expect: x[t=0] = 20
# expect: x[t=1] = 30
# expect: y[t=4] = 0
# expect: y[t=5] = 1
# expect: y[t=6] = 2
# expect: y[t=7] = 3
# expect: z = 7

param n = 2
index t in 0..4
x[t-n] = 10 * t
y[t+2*n] = t
z[2*n-1] = 7
print x; print y; print "z", z[3]
