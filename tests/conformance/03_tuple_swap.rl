# Tuples on the left may have subscripts: one recurrence of two tensors.
# expect: a[t=0] = 1
# expect: a[t=1] = 2
# expect: a[t=2] = 3
# expect: a[t=3] = 5
# expect: a[t=4] = 8
# expect: b[t=0] = 2
# expect: b[t=1] = 3
# expect: b[t=2] = 5
# expect: b[t=3] = 8
# expect: b[t=4] = 13

index t in 0..4
a[0] = 1
b[0] = 2
(a[t+1], b[t+1]) = (b, a + b)
print a; print b
