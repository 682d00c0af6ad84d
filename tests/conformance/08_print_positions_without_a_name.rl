# expect: x[3] = 1.0
# expect: x[5] = 2.0

x[3] = 1.0
x[5] = 2.0
print x
