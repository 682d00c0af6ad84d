# @ of tensors of more dimensions is a batch of matrix products, as in NumPy.
# expect: x = [[[5.0], [14.0]], [[86.0], [122.0]]]

C = reshape(cumsum([0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]), [2, 2, 3])
D = reshape([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [2, 3, 1])
x = C @ D
print x
