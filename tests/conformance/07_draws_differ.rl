# Two draws differ, and so do the points of one.
# tolerance: 0.4
# expect: equal = 0
# expect: neighbours = 0
# expect: correlation = 0.0

index k in 0..100
x[k] ~ Normal(0.0, 1.0)
y[k] ~ Normal(0.0, 1.0)
print "equal", sum(x == y for k)
print "neighbours", sum(x[j] == x[j+1] for j in 0..99)
print "correlation", mean(x * y for k)
