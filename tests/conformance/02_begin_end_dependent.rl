# begin and end of a range that depends on an index vary with it.
# expect: a[i=0] = 0
# expect: a[i=1] = 1
# expect: a[i=2] = 2
# expect: b[i=0] = 1
# expect: b[i=1] = 3
# expect: b[i=2] = 5

index i in 0..3
index j in i..2 * i + 1
a = begin(j)
b = end(j)
print a
print b
