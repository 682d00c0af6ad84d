# abs and sign of floats and integers.
# expect: abs = [1.5, 0.0, 2.5]
# expect: sign = [-1.0, 0.0, 1.0]
# expect: abs of integers = [3, 0, 4]
# expect: sign of integers = [-1, 0, 1]

x = [-1.5, 0.0, 2.5]
n = [-3, 0, 4]
print "abs", abs(x)
print "sign", sign(x)
print "abs of integers", abs(n)
print "sign of integers", sign(n)
