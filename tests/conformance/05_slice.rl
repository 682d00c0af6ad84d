# A slice is a leading dimension.
# expect: y = [1, 4, 9]
# expect: z = [1, 2, 5, 10, 17]

index t in 0..5
x = t * t
y = x[1..4]
print y
z = x[0..5] + 1
print z
