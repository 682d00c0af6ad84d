# exp, log, sqrt.
# expect: exp = [1.284025417, 2.718281828, 7.389056099]
# expect: log = [-1.386294361, 0.0, 0.6931471806]
# expect: sqrt = [0.5, 1.0, 1.414213562]
# expect: minus infinity = -inf
# expect: nan = nan

x = [0.25, 1.0, 2.0]
print "exp", exp(x)
print "log", log(x)
print "sqrt", sqrt(x)
print "minus infinity", log(0.0)
print "nan", sqrt(-1.0)
