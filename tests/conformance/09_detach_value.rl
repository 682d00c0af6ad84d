# detach does not change the value.
# expect: y = 9.0

param x = 3.0
y = detach(x ^ 2)
print y
