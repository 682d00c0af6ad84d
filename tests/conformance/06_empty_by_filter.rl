# A filter may leave nothing.
# expect: sum = 0.0
# expect: any = false
# expect: logsumexp = -inf

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "sum", sum(x for t if x > 100.0)
print "any", any(x > 0.0 for t if x > 100.0)
print "logsumexp", logsumexp(x for t if x > 100.0)
