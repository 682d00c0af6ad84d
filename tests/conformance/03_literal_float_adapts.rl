# A float literal takes the float type that it is used at.
# expect: b = true
# expect: c = true

a = f64(0.1)
b = a * 3.0 == 0.30000000000000004
c = a + 0.2 == f64(0.30000000000000004)
print b; print c
