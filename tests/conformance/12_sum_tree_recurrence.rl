# A tree that is updated step by step; what was set stays, and of equal positions in one update the last counts.
# expect: total[n=0] = 0.0
# expect: total[n=1] = 1.0
# expect: total[n=2] = 3.0
# expect: total[n=3] = 6.0
# expect: total[n=4] = 9.0
# expect: total[n=5] = 12.0
# expect: twice = 7.0
# expect: clipped = 2.0

param steps = 5
index n in 0..steps
tree[0]               = SumTree(3)
tree[n+1]             = tree.insert(n % 3, f32(n + 1))
total[n in 0..=steps] = tree.total()
print total
print "twice", SumTree(40).update([7, 8, 7], [100.0, 2.0, 5.0]).total()
# A priority that is negative or NaN counts as 0.
print "clipped", SumTree(4).update([0, 1, 2], [-1.0, 2.0, 0.0 / 0.0]).total()
