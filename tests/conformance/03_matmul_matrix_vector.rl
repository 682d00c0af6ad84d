# @ of a matrix and a vector, and of a vector and a matrix.
# expect: x = [8.0, 26.0]
# expect: y = [6.0, 9.0, 12.0]
# expect: A @ {a = [1.0, 2.0, 3.0]} = {a: [8.0, 26.0]}

A = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
x = A @ [1.0, 2.0, 3.0]
y = [1.0, 2.0] @ A
print x; print y
print A @ {a = [1.0, 2.0, 3.0]}          # leaf by leaf
