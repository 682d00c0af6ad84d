# A reduction over an index takes it from the free ones.
# expect: y[i=0] = 0
# expect: y[i=1] = 3

index i in 0..2
index t in 0..3
y = sum(i * t for t)
print y
