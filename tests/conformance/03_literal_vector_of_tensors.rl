# A list of equal vectors is a matrix of them.
# expect: c = [[1, 2], [3, 4]]

a = [1, 2]
b = [3, 4]
c = [a, b]
print c
