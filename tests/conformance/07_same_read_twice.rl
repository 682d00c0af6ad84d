# A draw is one value, however often it is read.
# expect: same = true
# expect: back = true

index k in 0..100
x[k] ~ Normal(0.0, 1.0)
y = x + 1.0
print "same", all(y == x + 1.0 for k)
print "back", all(y[99 - k] == x[99 - k] + 1.0 for k)
