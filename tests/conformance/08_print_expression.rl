# print of another expression prints the points at which y = e would be.
# expect: x * 2[t=0] = 2
# expect: x * 2[t=1] = 4

index t in 0..2
x[0] = 1
x[t+1] = x + 1
print x * 2
