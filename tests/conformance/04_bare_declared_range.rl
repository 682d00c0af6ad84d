# Without subscripts the indices have their declared ranges, even where what is read has more points.
# expect: y[t=0] = 0
# expect: y[t=1] = 2

index t in 0..2
x[t] = t
x[2] = 5
y = 2 * x
print y
