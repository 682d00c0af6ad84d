# A tensor without an axis is reduced over all elements.
# expect: sum = 25.0
# expect: mean = 4.166666667
# expect: prod = 1200.0
# expect: max = 10.0
# expect: min = 1.0
# expect: var = 8.472222222
# expect: std = 2.910708199
# expect: logsumexp = 10.0105318
# expect: any = true
# expect: all = false

a = [[1.0, 2.0, 4.0], [3.0, 5.0, 10.0]]
print "sum", sum(a)
print "mean", mean(a)
print "prod", prod(a)
print "max", max(a)
print "min", min(a)
print "var", var(a)
print "std", std(a)
print "logsumexp", logsumexp(a)
print "any", any(a > 9.0)
print "all", all(a > 1.0)
