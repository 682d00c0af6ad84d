# Through reshape, transpose, concat and stack.
# expect: a = [[-1.0, 4.0, 1.0], [1.0, -4.0, -1.0]]
# expect: b = [9.0, 12.0]

a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
b = [1.0, -1.0]
c = reshape(a, [3, 2]) @ b
d = transpose(a) @ b
print "a", grad(sum(c * c) + sum(d * [1.0, 2.0, 3.0]), a)
print "b", grad(dot(concat([b, 2.0 * b]), [1.0, 2.0, 3.0, 4.0]) + sum(stack([b, b], axis = 0)), b)
