# Through the other real functions.
# expect: expm1 = [1.284025417, 1.648721271, 2.459603111]
# expect: log1p = [0.8, 0.6666666667, 0.5263157895]
# expect: tan = [1.065199497, 1.29844641, 2.587998733]
# expect: arcsin = [1.032795559, 1.154700538, 2.294157339]
# expect: arccos = [-1.032795559, -1.154700538, -2.294157339]
# expect: arctan = [0.9411764706, 0.8, 0.5524861878]
# expect: sinh = [1.0314131, 1.127625965, 1.433086385]
# expect: cosh = [0.2526123168, 0.5210953055, 1.026516726]
# expect: softplus = [0.5621765009, 0.6224593312, 0.7109495026]
# expect: log_softmax = [-0.2381198299, 0.6942480862, -0.4561282563]

x = [0.25, 0.5, 0.9]
print "expm1", grad(sum(expm1(x)), x)
print "log1p", grad(sum(log1p(x)), x)
print "tan", grad(sum(tan(x)), x)
print "arcsin", grad(sum(arcsin(x)), x)
print "arccos", grad(sum(arccos(x)), x)
print "arctan", grad(sum(arctan(x)), x)
print "sinh", grad(sum(sinh(x)), x)
print "cosh", grad(sum(cosh(x)), x)
print "softplus", grad(sum(softplus(x)), x)
print "log_softmax", grad(log_softmax(x)[1], x)
