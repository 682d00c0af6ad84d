# mean over two indices divides by the number of points.
# expect: y = 8.0

index i in 0..3
index j in 0..=i
x = i + 10.0 * j
y = mean(x for i, j)
print y
