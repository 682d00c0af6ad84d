# A filter on data does not make a read lazy.
# error: E???? 7:9 x k=3

index t in 0..4
u = [0.1, 0.9, 0.4, 0.6]
x = t * t
y = sum(x[k+1] for k in 0..4 if u[k] > 0.5)
