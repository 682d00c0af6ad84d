# An empty argmin is an error at the reduction, with a point, where it can be shown.
# error: E???? 6:5 argmin t=0

index t in 0..3
x = t + 1.0
y = argmin(x[k] for k in 0..t)
