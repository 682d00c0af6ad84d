# A cycle at a single point is found.
# error: E???? 5:1 x t=2

index t in 0..5
x[t] = x[4 - t] + 1
