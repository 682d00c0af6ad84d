# Through the reductions of a range.
# expect: mean[t=0] = 0.25
# expect: mean[t=1] = 0.25
# expect: mean[t=2] = 0.25
# expect: mean[t=3] = 0.25
# expect: prod[t=0] = 0.0
# expect: prod[t=1] = 3.0
# expect: prod[t=2] = -1.5
# expect: prod[t=3] = -2.0
# expect: logsumexp[t=0] = 0.118721121
# expect: logsumexp[t=1] = 0.02649026274
# expect: logsumexp[t=2] = 0.5320711504
# expect: logsumexp[t=3] = 0.3227174659
# expect: filtered[t=0] = 1.0
# expect: filtered[t=1] = 0.0
# expect: filtered[t=2] = 4.0
# expect: filtered[t=3] = 3.0
# expect: max[t=0] = 0.0
# expect: max[t=1] = 0.0
# expect: max[t=2] = 1.0
# expect: max[t=3] = 0.0

index t in 0..4
x = [0.5, -1.0, 2.0, 1.5][t]
print "mean", grad(mean(x for t), x)
print "prod", grad(prod(x[k] for k in 1..4), x)
print "logsumexp", grad(logsumexp(x for t), x)
print "filtered", grad(sum(x ^ 2 for t if x > 0.0), x)
print "max", grad(max(x for t), x)
