# Of equal elements of a max or min the first takes all.
# expect: max = [0.0, 1.0, 0.0, 0.0]
# expect: min = [1.0, 0.0, 0.0, 0.0]
# expect: range = [0.0, 1.0, 0.0, 0.0]

a = [1.0, 5.0, 5.0, 1.0]
print "max", grad(max(a), a)
print "min", grad(min(a), a)
print "range", grad(max(a[k] for k in 0..4), a)
