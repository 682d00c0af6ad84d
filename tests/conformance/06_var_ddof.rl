# ddof = 1 divides by n - 1.
# expect: var = 10.16666667
# expect: std = [1.527525232, 3.605551275]

a = [[1.0, 2.0, 4.0], [3.0, 5.0, 10.0]]
print "var", var(a, ddof = 1)
print "std", std(a, axis = 1, ddof = 1)
