# Operators broadcast as NumPy's do.
# expect: x = [[11, 12, 13], [21, 22, 23]]
# expect: y = [2, 4, 6]
# expect: z = [[1, 2, 3], [2, 4, 6], [3, 6, 9]]

a = [1, 2, 3]
b = [[10], [20]]
x = a + b
y = 2 * a
z = reshape(a, [3, 1]) * a
print x; print y; print z
