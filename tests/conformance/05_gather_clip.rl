# A gather reads where an integer tensor says; clip gives its range.
# expect: y[k=0] = 0
# expect: y[k=1] = 1
# expect: y[k=2] = 16
# expect: y[k=3] = 16

index t in 0..5
index k in 0..4
x = t * t
j = clip(3 * k - 2, 0, 4)
y = x[j]
print y
