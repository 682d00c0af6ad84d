# A constant entry that is not positional must be named.
# error: E???? 7:5 b t

index b in 0..3
index t in 0..3
x = 10 * b + t
y = x[0]
