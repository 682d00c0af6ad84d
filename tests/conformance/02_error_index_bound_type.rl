# Bounds are integers.
# error: E???? 4:*

index t in 0..2.5
x[t] = t
