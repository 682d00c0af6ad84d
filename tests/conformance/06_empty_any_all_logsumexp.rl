# An empty any is false, all true, logsumexp -inf.
# expect: any = false
# expect: all = true
# expect: logsumexp = -inf

index t in 0..3
x = t + 1.0
print "any", any(x[k] > 0.0 for k in 2..2)
print "all", all(x[k] < 0.0 for k in 2..1)
print "logsumexp", logsumexp(x[k] for k in 1..1)
