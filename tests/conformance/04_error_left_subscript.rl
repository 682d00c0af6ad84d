# A left-hand subscript is an index plus an integer expression of params.
# error: E???? 5:*

index t in 0..3
x[2 * t] = 1
