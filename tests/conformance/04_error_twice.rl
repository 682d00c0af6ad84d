# A point defined twice is an error at the later equation, with a note at the earlier.
# error: E???? 6:1 x t=0

index t in 0..3
x[0] = 1.0
x[t] = 2.0
