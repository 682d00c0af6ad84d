# A gather that cannot be bounded is checked at run time.
# expect: y[t=0] = 0
# expect: y[t=1] = 10

param scale = 1.5
index t in 0..4
x = 10 * t
j = i32(scale * t)
y[t in 0..2] = x[j]
print y
