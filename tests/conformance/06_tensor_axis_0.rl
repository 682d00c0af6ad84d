# Reductions along axis 0.
# expect: sum = [4.0, 7.0, 14.0]
# expect: mean = [2.0, 3.5, 7.0]
# expect: prod = [3.0, 10.0, 40.0]
# expect: max = [3.0, 5.0, 10.0]
# expect: min = [1.0, 2.0, 4.0]
# expect: var = [1.0, 2.25, 9.0]
# expect: std = [1.0, 1.5, 3.0]
# expect: logsumexp = [3.126928011, 5.048587352, 10.00247569]
# expect: any = [false, true, true]
# expect: all = [false, true, true]

a = [[1.0, 2.0, 4.0], [3.0, 5.0, 10.0]]
print "sum", sum(a, axis = 0)
print "mean", mean(a, axis = 0)
print "prod", prod(a, axis = 0)
print "max", max(a, axis = 0)
print "min", min(a, axis = 0)
print "var", var(a, axis = 0)
print "std", std(a, axis = 0)
print "logsumexp", logsumexp(a, axis = 0)
print "any", any(a > 3.5, axis = 0)
print "all", all(a > 1.5, axis = 0)
