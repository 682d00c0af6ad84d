# A record may be made by braces.
# expect: a = 1.0
# expect: b = [2, 3]

p = { x = 1.0, v = [2, 3] }
a = p.x
b = p.v
print a; print b
