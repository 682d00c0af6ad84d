# An item goes on inside brackets and after a binary operator, a comma or =.
# expect: a = 3
# expect: b = 7
# expect: c = 5
# expect: d = 7
# expect: f = [8, 9]

a = 1 +
  2
b = (3
  + 4)
c =
  5
d = max(6,
  7)
f = [8,
  9
]
print a; print b; print c; print d; print f
