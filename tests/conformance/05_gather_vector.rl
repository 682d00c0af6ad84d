# A gather by an integer vector gives a vector.
# expect: y = [40, 10, 10]

index t in 0..5
x = 10 * t
y = x[clip([4, 1, 1], 0, 4)]
print y
