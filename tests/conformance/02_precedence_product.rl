# * / // % @ have one level and go to the left.
# expect: a = 2
# expect: b = 6
# expect: c = 2.0
# expect: d = 14
# expect: f = 3

a = 2 * 3 % 4
b = 7 // 2 * 2
c = 12.0 / 2.0 / 3.0
d = 2 + 3 * 4
f = 10 - 4 - 3
print a; print b; print c; print d; print f
