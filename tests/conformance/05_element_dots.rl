# x[..][0] reads an element at the own indices.
# expect: y[t=0] = 1
# expect: y[t=1] = 2
# expect: y[t=2] = 3

index t in 0..3
x[0] = [1, 2]
x[t+1] = [x[..][1], x[..][0] + x[..][1]]
y = x[..][0]
print y
