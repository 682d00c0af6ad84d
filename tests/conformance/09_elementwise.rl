# Through the element-wise functions and operators.
# expect: exp = [1.349858808, 2.718281828, 9.025013499]
# expect: log = [3.333333333, 1.0, 0.4545454545]
# expect: sqrt = [0.9128709292, 0.5, 0.3370999312]
# expect: sin = [0.9553364891, 0.5403023059, -0.5885011173]
# expect: cos = [-0.2955202067, -0.8414709848, -0.8084964038]
# expect: tanh = [0.9151369618, 0.4199743416, 0.0479253442]
# expect: sigmoid = [0.2444583117, 0.1966119332, 0.08980032904]
# expect: power = [0.4107919181, 2.5, 8.157818336]
# expect: exponent = [0.853364279, 1.386294361, 3.184868104]
# expect: quotient = [-33.83333333, -3.5, -1.119834711]
# expect: self = [-0.1421374904, 1.0, 10.13464377]
# expect: erf = [1.03126091, 0.4151074974, 0.008922155065]

x = [0.3, 1.0, 2.2]
print "exp", grad(sum(exp(x)), x)
print "log", grad(sum(log(x)), x)
print "sqrt", grad(sum(sqrt(x)), x)
print "sin", grad(sum(sin(x)), x)
print "cos", grad(sum(cos(x)), x)
print "tanh", grad(sum(tanh(x)), x)
print "sigmoid", grad(sum(sigmoid(x)), x)
print "power", grad(sum(x ^ 2.5), x)
print "exponent", grad(sum(2.0 ^ x), x)
print "quotient", grad(sum(3.0 / x - x / 2.0), x)
print "self", grad(sum(x ^ x), x)
print "erf", grad(sum(erf(x)), x)
