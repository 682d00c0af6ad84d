# ^ binds more tightly than unary minus and to the right.
# expect: a = -4
# expect: b = 512
# expect: c = 0.5

a = -2 ^ 2
b = 2 ^ 3 ^ 2
c = 2.0 ^ -1.0
print a; print b; print c
