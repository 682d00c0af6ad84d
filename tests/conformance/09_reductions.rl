# Through the reductions of a tensor.
# expect: sum = [1.0, 1.0, 1.0, 1.0]
# expect: mean = [0.25, 0.25, 0.25, 0.25]
# expect: prod = [-3.0, 1.5, -0.75, -1.0]
# expect: var = [-0.125, -0.875, 0.625, 0.375]
# expect: std = [-0.05455447256, -0.3818813079, 0.2727723628, 0.1636634177]
# expect: logsumexp = [0.118721121, 0.02649026274, 0.5320711504, 0.3227174659]
# expect: norm = [0.1825741858, -0.3651483717, 0.7302967433, 0.5477225575]
# expect: max = [0.0, 0.0, 1.0, 0.0]
# expect: min = [0.0, 1.0, 0.0, 0.0]

a = [0.5, -1.0, 2.0, 1.5]
print "sum", grad(sum(a), a)
print "mean", grad(mean(a), a)
print "prod", grad(prod(a), a)
print "var", grad(var(a), a)
print "std", grad(std(a), a)
print "logsumexp", grad(logsumexp(a), a)
print "norm", grad(norm(a), a)
print "max", grad(max(a), a)
print "min", grad(min(a), a)
