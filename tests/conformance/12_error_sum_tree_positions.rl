# A priority for each position.
# error: E0202 3:8 shapes
tree = SumTree(10).update([1, 2], [1.0, 2.0, 3.0])
print tree.total()
