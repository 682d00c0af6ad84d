# A param can be set from outside; what depends on it follows.
# args: n=5
# expect: n = 5
# expect: m = 10

param n = 2
param m = n * 2
print n; print m
