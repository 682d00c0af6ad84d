# Beta(a, b).
# tolerance: 0.02
# expect: mean = 0.4
# expect: var = 0.04
# expect: inside = true

param N = 4000
index k in 0..N
x[k] ~ Beta(2.0, 3.0)
print "mean", mean(f32(x) for k)
print "var", var(f32(x) for k)
print "inside", all(x > 0.0 and x < 1.0 for k)
