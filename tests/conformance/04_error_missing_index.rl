# A free index that is missing on the left is an error there.
# error: E???? 7:1 y i

index i in 0..2
index t in 0..3
x = i + t
y[t] = x
