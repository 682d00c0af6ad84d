# ; separates items on a line.
# expect: x = 3
# expect: y = 4

param n = 2; x = n + 1; y = x + 1
print x; print y
