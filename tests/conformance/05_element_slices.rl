# Slices of elements.
# expect: a = [[1, 2, 3], [4, 5, 6]]
# expect: b = [[2, 3], [5, 6]]
# expect: c = [2, 5, 8]

m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
a = m[0..2]
b = m[0..2, 1..3]
c = m[0..3, 1]
print a; print b; print c
