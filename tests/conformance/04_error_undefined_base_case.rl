# A recurrence without its base case reads a point that is not defined.
# error: E???? 5:16 x t=0

index t in 0..3
x[t+1] = 0.5 * x
