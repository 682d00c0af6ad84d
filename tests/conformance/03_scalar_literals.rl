# Literals of the scalar types.
# expect: a = true
# expect: b = 12
# expect: c = 2.5
# expect: d = 0.01
# expect: f = 1500.0

a = true
b = 12
c = 2.5
d = 1e-2
f = 1.5e3
print a; print b; print c; print d; print f
