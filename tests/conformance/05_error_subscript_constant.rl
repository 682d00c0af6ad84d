# A constant subscript outside the domain.
# error: E???? 6:5 x

index t in 0..5
x = t * t
y = x[5]
