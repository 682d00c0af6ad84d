# Subscripts may scale indices.
# expect: y[t=0] = 1
# expect: y[t=1] = 5
# expect: y[t=2] = 9

index t in 0..3
index k in 0..6
x[k] = k * k
y[t] = x[2 * t + 1] - x[2 * t]
print y
