# Priorities of a sum tree are constants to a gradient.
# warning: E0403 9:7 `L` depends on `w` only through a sum tree
# expect: grad(L, w) = 0.0

w    = 0.4
tree = SumTree(4, fanout = 2).update(1, w)
j    = 1
L    = tree.log_prob(j)
print grad(L, w)
