# Nothing can be drawn from a tree whose priorities are all 0: the program's draw is wrong, not a line of the library.
# fault: a draw from a tree without a positive priority
# fault: 12_fault_sum_tree_empty.rl:5:8
tree = SumTree(10)
j    ~ tree.sample()
print j
