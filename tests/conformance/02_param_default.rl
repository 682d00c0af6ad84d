# A param has the value of its expression.
# expect: n = 5
# expect: m = 10

param n = 2 + 3
param m = n * 2
print n; print m
