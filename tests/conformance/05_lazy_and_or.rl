# The right of and, or is lazy where the left is about indices.
# expect: a[t=0] = false
# expect: a[t=1] = false
# expect: a[t=2] = true
# expect: a[t=3] = true
# expect: b[t=0] = true
# expect: b[t=1] = false
# expect: b[t=2] = true
# expect: b[t=3] = true

index t in 0..4
x = 0.5 * t
a = t > 0 and x[t-1] > 0.4
b = t == 0 or x[t-1] > 0.4
print a
print b
