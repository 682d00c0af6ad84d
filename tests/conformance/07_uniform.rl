# Uniform(lo, hi) excludes hi.
# tolerance: 0.1
# expect: mean = 1.0
# expect: var = 1.333333333
# expect: inside = true
# expect: quarter = 0.25

param N = 4000
index k in 0..N
x[k] ~ Uniform(-1.0, 3.0)
print "mean", mean(f32(x) for k)
print "var", var(f32(x) for k)
print "inside", all(x >= -1.0 and x < 3.0 for k)
print "quarter", mean(x < 0.0 for k)
