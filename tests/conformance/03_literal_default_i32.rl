# An integer literal is i32 and wraps as such.
# expect: b = -2147483648

a = 2147483647
b = a + 1
print b
