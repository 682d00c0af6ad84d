# ^ of floats is NumPy's power.
# expect: a = 1.414213562
# expect: b = 0.125
# expect: c = -8.0
# expect: d = 1.0
# expect: f = 8.0

a = 2.0 ^ 0.5
b = 4.0 ^ -1.5
c = (-2.0) ^ 3.0
d = 0.0 ^ 0.0
f = 2.0 ^ 3
print a; print b; print c; print d; print f
