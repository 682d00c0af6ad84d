# A gather through data.
# expect: y[k=0] = 16
# expect: y[k=1] = 0
# expect: y[k=2] = 9
# expect: y[k=3] = 1

index t in 0..5
index k in 0..4
perm = [4, 0, 3, 1]
x = t * t
j = perm[k]
y = x[j % 5]
print y
