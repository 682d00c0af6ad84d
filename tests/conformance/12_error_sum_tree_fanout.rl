# The fan-out is a power of two.
# error: E0211 3:29 power of two
tree = SumTree(10, fanout = 12)
print tree.total()
