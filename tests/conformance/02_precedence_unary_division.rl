# Unary minus binds more tightly than // and %.
# expect: a = -4
# expect: b = 1
# expect: c = -3

a = -7 // 2
b = -7 % 4
c = -(7 // 2)
print a; print b; print c
