# The other real functions.
# expect: expm1 = [0.2840254167, 0.6487212707, 1.459603111]
# expect: log1p = [0.2231435513, 0.4054651081, 0.6418538862]
# expect: tan = [0.2553419212, 0.5463024898, 1.260158218]
# expect: arcsin = [0.2526802551, 0.5235987756, 1.119769515]
# expect: arccos = [1.318116072, 1.047197551, 0.4510268118]
# expect: arctan = [0.2449786631, 0.463647609, 0.7328151018]
# expect: sinh = [0.2526123168, 0.5210953055, 1.026516726]
# expect: cosh = [1.0314131, 1.127625965, 1.433086385]
# expect: softplus = [0.8259394199, 0.9740769842, 1.241153875]
# expect: lgamma = [1.288022525, 0.5723649429, 0.06637623973]

x = [0.25, 0.5, 0.9]
print "expm1", expm1(x)
print "log1p", log1p(x)
print "tan", tan(x)
print "arcsin", arcsin(x)
print "arccos", arccos(x)
print "arctan", arctan(x)
print "sinh", sinh(x)
print "cosh", cosh(x)
print "softplus", softplus(x)
print "lgamma", lgamma(x)
