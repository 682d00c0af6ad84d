# A list of numbers is a vector; lists nest.
# expect: a = [1, 2, 3]
# expect: b = [[1.0, 2.0], [3.0, 4.0]]

a = [1, 2, 3]
b = [[1.0, 2.0], [3.0, 4.0]]
print a
print b
