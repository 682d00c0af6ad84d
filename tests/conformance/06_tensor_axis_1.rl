# Reductions along axis 1.
# expect: sum = [7.0, 18.0]
# expect: mean = [2.333333333, 6.0]
# expect: prod = [8.0, 150.0]
# expect: max = [4.0, 10.0]
# expect: min = [1.0, 3.0]
# expect: var = [1.555555556, 8.666666667]
# expect: std = [1.247219129, 2.943920289]
# expect: logsumexp = [4.16984602, 10.00762072]
# expect: any = [true, true]
# expect: all = [false, true]

a = [[1.0, 2.0, 4.0], [3.0, 5.0, 10.0]]
print "sum", sum(a, axis = 1)
print "mean", mean(a, axis = 1)
print "prod", prod(a, axis = 1)
print "max", max(a, axis = 1)
print "min", min(a, axis = 1)
print "var", var(a, axis = 1)
print "std", std(a, axis = 1)
print "logsumexp", logsumexp(a, axis = 1)
print "any", any(a > 3.5, axis = 1)
print "all", all(a > 1.5, axis = 1)
