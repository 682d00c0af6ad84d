# Where a row ends follows from what the row before has at its last point, which that row may not
# have got to.
# fault: past end(t)

index i in 0..2
index t in 0..4 until x >= 2
x[i, t] = t + 1 + (if i == 0 then 0 else x[i-1, 3])
print x[1, 0]
