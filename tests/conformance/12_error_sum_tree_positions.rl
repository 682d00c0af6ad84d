# A priority for each position, and none of a position that is not there.
# error: E0202 4:8 shapes
# error: E0215 6:7 element 10
tree = SumTree(10).update([1, 2], [1.0, 2.0, 3.0])
print tree.total()
print SumTree(10).priority(10)
