# begin(t) is the first point of t's range, end(t) the point after its last.
# expect: a = 2
# expect: b = 7

index t in 2..=6
a = begin(t)
b = end(t)
print a; print b
