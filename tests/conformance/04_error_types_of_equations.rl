# The equations of a tensor have one shape.
# error: E???? 6:* x

index t in 0..3
x[0] = [1.0, 2.0]
x[t+1] = 1.0
