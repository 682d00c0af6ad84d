# Recurrences may be mutual.
# expect: a[t=0] = 1
# expect: a[t=1] = 2
# expect: a[t=2] = 3
# expect: a[t=3] = 5
# expect: a[t=4] = 8
# expect: a[t=5] = 13
# expect: b[t=0] = 1
# expect: b[t=1] = 1
# expect: b[t=2] = 2
# expect: b[t=3] = 3
# expect: b[t=4] = 5
# expect: b[t=5] = 8

index t in 0..5
a[0] = 1
b[0] = 1
a[t+1] = a + b
b[t+1] = a
print a; print b
