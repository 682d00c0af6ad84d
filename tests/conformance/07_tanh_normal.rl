# TanhNormal draws the tanh of a normal.
# tolerance: 0.05
# expect: inside = true
# expect: below the median = 0.5
# expect: below = 0.1586552539

param N = 4000
index k in 0..N

x[k] ~ TanhNormal(0.5, 0.25)
print "inside", all(x > -1.0 and x < 1.0 for k)
print "below the median", mean(x < tanh(0.5) for k)
print "below", mean(x < tanh(0.25) for k)
