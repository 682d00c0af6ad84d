# ^ of integers is an integer and wraps.
# expect: a = 1024
# expect: b = -27
# expect: c = 1870418611
# expect: d = 1

a = 2 ^ 10
b = (-3) ^ 3
c = 3 ^ 21
d = 7 ^ 0
print a; print b; print c; print d
