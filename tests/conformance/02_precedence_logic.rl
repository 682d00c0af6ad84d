# Comparisons bind more tightly than not, not than and, and than or.
# expect: a = true
# expect: b = true
# expect: c = true
# expect: d = true

a = 1 + 1 == 2 and not 2 > 3
b = true or false and false
c = not 1 == 2
d = not true or true
print a; print b; print c; print d
