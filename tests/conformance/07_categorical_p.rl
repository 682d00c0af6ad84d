# A categorical by its probabilities.
# tolerance: 1e-6
# expect: probs = [0.2, 0.3, 0.5]
# expect: log_prob = -1.2039728
# expect: slope = [-1.0, 2.3333333, -1.0]
# expect: in range = true
# expect: masked = [0.4, 0.6, 0.0]

index t in 0..200
p    = [0.2, 0.3, 0.5] + 0.0
d    = Categorical(p = p)
a[t] ~ Categorical(p = [0.2, 0.3, 0.5])
print "probs", d.probs()
print "log_prob", d.log_prob(1)
lp = d.log_prob(1)
print "slope", grad(lp, p)
print "in range", all(a >= 0 and a < 3 for t)
print "masked", Categorical(p = p, mask = [true, true, false]).probs()
