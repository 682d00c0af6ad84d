# With the range of a base case empty the read is still checked.
# error: E???? 8:8 x t=0

param n = 3
index t in 0..n
index k in 0..0
x[k] = 1
y[t] = x[t]
