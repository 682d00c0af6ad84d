# Nothing can be drawn from a tree whose priorities are all 0.
# fault: a draw from a tree without a positive priority
tree = SumTree(10)
j    ~ tree.sample()
print j
