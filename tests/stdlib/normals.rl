# Normal, Independent and TanhNormal.
# tolerance: 1e-4
# expect: log_prob = [-1.619898213764618, -6.350791352644727]
# expect: entropy = [2.112085713764618, 0.7257913526447274]
# expect: kl = [0.9318528194400546, 0.8763900664458872]
# expect: joint = -7.9706895664093445
# expect: joint entropy = 2.8378770664093453
# expect: joint kl = 1.8082428858859418
# expect: tanh = [-1.5550250542009199, -7.184216231669122]
# expect: tanh kl = [0.9318528194400546, 0.8763900664458872]
# expect: near = true

d = Normal([0.5, -1.0], [2.0, 0.5])
e = Normal([0.0, -2.0], [1.0, 1.5])
f = TanhNormal([0.5, -1.0], [2.0, 0.5])
x = [0.25, 0.75]
print "log_prob", d.log_prob(x); print "entropy", d.entropy(); print "kl", d.kl(e)
print "joint", Independent(d).log_prob(x);
print "joint entropy", Independent(d).entropy();
print "joint kl", Independent(d).kl(Independent(e))
print "tanh", f.log_prob(x); print "tanh kl", f.kl(TanhNormal([0.0, -2.0], [1.0, 1.5]))
index k in 0..2000
y[k] ~ reparam(Independent(Normal([0.5, -1.0], [2.0, 0.5])))
print "near", abs(mean(y[..][0] for k) - 0.5) < 0.15 and abs(mean(y[..][1] for k) + 1.0) < 0.04
