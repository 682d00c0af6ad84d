# An empty mean that depends on data, with the index point.
# fault: b=2

index b in 0..3
index t in 0..2
x = 10.0 * b + t
y = mean(x for t if x < 15.0)
print y
