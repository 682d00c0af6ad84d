# A window of constant length that moves with an index.
# expect: y[t=0] = [0, 1, 4]
# expect: y[t=1] = [1, 4, 9]
# expect: y[t=2] = [4, 9, 16]

index t in 0..5
x = t * t
y[t in 0..3] = x[t..t+3]
print y
