# Bernoulli(p).
# tolerance: 0.04
# expect: mean = 0.3
# expect: var = 0.21

param N = 4000
index k in 0..N
x[k] ~ Bernoulli(0.3)
print "mean", mean(f32(x) for k)
print "var", var(f32(x) for k)
