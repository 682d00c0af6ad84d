# UniformInt(lo, hi) excludes hi and takes every value.
# tolerance: 0.15
# expect: mean = 0.5
# expect: var = 2.916666667
# expect: least = -2
# expect: greatest = 3
# expect: zeros = 0.1666666667

param N = 4000
index k in 0..N
x[k] ~ UniformInt(-2, 4)
print "mean", mean(f32(x) for k)
print "var", var(f32(x) for k)
print "least", min(x for k)
print "greatest", max(x for k)
print "zeros", mean(x == 0 for k)
