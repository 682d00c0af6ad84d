# Gamma(shape, scale); the scale is 1 here.
# tolerance: 0.15
# expect: mean = 2.5
# expect: var = 2.5
# expect: inside = true

param N = 4000
index k in 0..N
x[k] ~ Gamma(2.5, 1.0)
print "mean", mean(f32(x) for k)
print "var", var(f32(x) for k)
print "inside", all(x > 0.0 for k)
