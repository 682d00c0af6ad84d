# What has no points has no storage either, which what is shown of it does not ask for.
# args: --disable-pass=simplify
# expect: count = 0

index t in 3..3
index k in 3..1
x[t] = t
y[k] = k
print x
print y
print "count", sum(1 for t)
