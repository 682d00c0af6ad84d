# A point that depends on itself is an error at its equation.
# error: E???? 5:1 x t=0

index t in 0..3
x[t] = x[t] + 1
