# A filter with a mixture of indices.
# expect: y = 51

index b in 0..3
index t in 0..3
x = 10 * b + t
y = sum(x for b, t if b > t)
print y
