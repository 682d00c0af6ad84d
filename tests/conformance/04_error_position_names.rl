# A position has one name.
# error: E???? 7:* i t

index i in 0..3
index t in 5..8
x[i] = 1
x[t] = 2
