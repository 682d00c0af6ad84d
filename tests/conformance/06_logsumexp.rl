# logsumexp does not overflow.
# expect: all = 5.421344439
# expect: large = 1005.421344
# expect: small = -999.3068528

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "all", logsumexp(x for t)
print "large", logsumexp(x[k] + 1000.0 for k in 0..5)
print "small", logsumexp([-1000.0, -1000.0])
