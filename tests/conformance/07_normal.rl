# Normal(mean, standard deviation).
# tolerance: 0.05
# expect: mean = 1.0
# expect: var = 0.25
# expect: near = 0.6826894921
# expect: tail = 0.0455002639

param N = 4000
index k in 0..N
x[k] ~ Normal(1.0, 0.5)
print "mean", mean(f32(x) for k)
print "var", var(f32(x) for k)
print "near", mean(abs(x - 1.0) < 0.5 for k)
print "tail", mean(abs(x - 1.0) > 1.0 for k)
