# A position is found where the running sum of the priorities exceeds the fraction of their total; one of priority 0 never is.
# expect: total = 10.0
# expect: found[k=0] = 0
# expect: found[k=1] = 1
# expect: found[k=2] = 1
# expect: found[k=3] = 3
# expect: found[k=4] = 3
# expect: found[k=5] = 3
# expect: found[k=6] = 4
# expect: found[k=7] = 4
# expect: found[k=8] = 4
# expect: found[k=9] = 4
# expect: binary = true
# expect: priority = 3.0
# expect: log_prob = -1.2039728

index k in 0..10
tree     = SumTree(5).update([0, 1, 3, 4], [1.0, 2.0, 3.0, 4.0])
found[k] = tree.find((f32(k) + 0.5) / 10.0)
print "total", tree.total()
print found

# The fan-out does not show in what is found.
narrow = SumTree(5, fanout = 2).update([4, 3, 1, 0], [4.0, 3.0, 2.0, 1.0])
print "binary", all(narrow.find((f32(k) + 0.5) / 10.0) == found for k)
print "priority", tree.priority(3)
print "log_prob", tree.log_prob(3)
