# Rows of literals are one constant; a row of other numbers makes it a sum of its parts.
# expect: sum(data) = 10.5
# expect: data[1] = [3.0, 4.5]
# expect: mixed = [[1.0, 2.0], [0.5, 1.0]]
# expect: counts[k] = [4, 5, 6]
# expect: cube = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
# expect: grad(sum(data * w), w) = 10.5

data = [[1.0, 2.0], [3.0, 4.5]]
mixed = [[1, 2], [0.5, 1.0]]
counts = [[1, 2, 3], [4, 5, 6]]
cube = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
k = i32(sum(data) - 9.5)
w = 2.0
print sum(data)
print data[1]
print mixed
print counts[k]
print cube
print grad(sum(data * w), w)
