# More entries than positions are an error.
# error: E???? 6:* x

index t in 0..3
x = 2 * t
y = x[t, 0]
