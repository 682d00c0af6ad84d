# A slice of length 1 is a dimension, too.
# expect: y = [4]

index t in 0..5
x = t * t
y = x[2..3]
print y
