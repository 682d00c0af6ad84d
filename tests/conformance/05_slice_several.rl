# The dimensions of slices come in the order of positions, before those of the element.
# expect: y = [[[0, 1], [0, 2]], [[10, 1], [10, 2]]]
# expect: z = [[10, 0], [10, 1]]

index b in 0..2
index t in 0..3
x = [10 * b, t]
y = x[0..2, 1..3]
print y
z = x[t: 0..2, b: 1]
print z
