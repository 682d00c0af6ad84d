# Two equations that overlap only at one point.
# error: E???? 6:1 x t=3

index t in 0..4
x[t] = 1
x[t+3] = 2
