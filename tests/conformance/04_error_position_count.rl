# The equations of a tensor have the same number of positions.
# error: E???? 6:* x

index i in 0..3
x[i] = 1
x[5, i] = 2
