# Where only constants stand, a position can be read by position.
# expect: x = 3.0

c[0] = 1.5
c[1] = c[0] * 2.0
x = c[1]
print x
