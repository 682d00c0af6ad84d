# A tuple is taken apart on the left.
# expect: a = 1
# expect: b = [2.0, 3.0]

(a, b) = (1, [2.0, 3.0])
print a; print b
