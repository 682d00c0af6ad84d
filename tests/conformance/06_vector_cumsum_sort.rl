# cumsum, sort and argsort of a range are vectors.
# expect: cumsum = [2.0, 1.0, 4.0, 7.0]
# expect: sort = [-1.0, 2.0, 3.0, 3.0]
# expect: argsort = [2, 3, 0, 1]

a = [2.0, -1.0, 3.0, 3.0]
print "cumsum", cumsum(a[k] for k in 0..4)
print "sort", sort(a[k] for k in 0..4)
print "argsort", argsort(-a[k] for k in 0..4)
