# A subscript is an integer.
# error: E???? 6:*

index t in 0..5
x = t * t
y = x[0.5 * t]
