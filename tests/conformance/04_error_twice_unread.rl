# Definitions are checked although nothing reads them.
# error: E???? 6:1 x t=1

index t in 0..3
x[t] = 1
x[1] = 2
print 5
