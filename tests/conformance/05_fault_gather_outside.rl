# A gather that leaves the domain at run time is a run-time error with the index point.
# fault: t=3

param scale = 1.5
index t in 0..4
x = 10 * t
j = i32(scale * t)
y = x[j]
print y
