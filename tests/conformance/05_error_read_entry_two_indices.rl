# An entry that mentions two own indices must be named.
# error: E???? 7:5 b t

index b in 0..3
index t in 0..3
x[b, t in 0..6] = 10 * b + t
y = x[t + b]
