# var and std divide by n.
# expect: var = 4.64
# expect: std = 2.160246899

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "var", var(x for t)
print "std", std(x[k] for k in 0..3)
