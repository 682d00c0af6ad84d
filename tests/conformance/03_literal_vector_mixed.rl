# The elements of a list are promoted to one type.
# expect: a = [1.0, 2.5, 1.0]

a = [1, 2.5, true]
print a
