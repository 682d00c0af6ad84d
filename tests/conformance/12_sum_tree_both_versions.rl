# What an update was made of may be read afterwards: then both are kept.
# expect: gain[n=0] = 1.0
# expect: gain[n=1] = 2.0
# expect: gain[n=2] = 3.0
# expect: gain[n=3] = 3.0
# expect: gain[n=4] = 3.0
# expect: late = [0, 1, 2]

index n in 0..5
tree[0]   = SumTree(3)
tree[n+1] = tree.insert(n % 3, f32(n + 1))
gain      = tree[n+1].total() - tree.total()
print gain
late[n in 2..5] = tree[n-1].find(0.999)
print "late", late[2..5]
