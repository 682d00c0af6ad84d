# Gamma with a shape below 1.
# tolerance: 0.12
# expect: mean = 0.5
# expect: var = 0.5
# expect: inside = true

param N = 4000
index k in 0..N
x[k] ~ Gamma(0.5, 1.0)
print "mean", mean(f32(x) for k)
print "var", var(f32(x) for k)
print "inside", all(x >= 0.0 for k)
