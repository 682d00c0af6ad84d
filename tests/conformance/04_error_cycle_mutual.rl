# A cycle through two equations is an error at the first.
# error: E???? 5:1 a b

index t in 0..3
a = b + t
b = 2 * a
