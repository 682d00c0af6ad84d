# A tree has a position at least.
# error: E0211 4:8 capacity
param n = 0
tree = SumTree(n)
print tree.total()
