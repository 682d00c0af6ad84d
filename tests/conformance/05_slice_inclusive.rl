# A slice may include its end.
# expect: y = [1, 4, 9, 16]

index t in 0..5
x = t * t
y = x[1..=4]
print y
