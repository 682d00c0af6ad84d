# A position that the tree lacks is wrong where the program gives it.
# fault: outside of a tree of capacity 10
# fault: 12_fault_sum_tree_position.rl:7:25
index n in 0..3
j[n]      ~ UniformInt(10 * n, 10 * n + 2)
tree[0]   = SumTree(10)
tree[n+1] = tree.update(j, 1.0)
print tree.total()
