# Of equal operands of max and min the first takes all.
# expect: max a = 1.0
# expect: max b = 0.0
# expect: min a = 1.0
# expect: min b = 0.0

param a = 2.0
param b = 2.0
print "max a", grad(max(a, b), a)
print "max b", grad(max(a, b), b)
print "min a", grad(min(a, b), a)
print "min b", grad(min(a, b), b)
