# The domain of an equation without subscripts follows dependent ranges.
# expect: y[i=0, j=0] = 0
# expect: y[i=0, j=1] = 1
# expect: y[i=0, j=2] = 2
# expect: y[i=1, j=1] = 1
# expect: y[i=1, j=2] = 2
# expect: y[i=2, j=2] = 2

index i in 0..3
index j in i..3
y = j
print y
