# Beta, Gamma and Bernoulli.
# tolerance: 1e-4
# expect: log_prob = 0.6611802010988752
# expect: entropy = -0.2986902822759854
# expect: kl = 0.07902535682794731
# expect: at the ends = [-inf, -inf, 0.0, inf, -inf]
# expect: modes = [0.2857142857142857, 0.0, 1.0, 0.5]
# expect: gamma = [0.0, -inf, -inf, inf]
# expect: vectors = [-0.4746865771501172, -1.5]
# expect: not a number = [nan, nan]
# expect: slopes = [-0.9187233685814532, -0.21568985594522247, 0.44520968686956314]
# expect: bernoulli = -1.203972804325936
# expect: its entropy = 0.6108643020548934
# expect: its kl = 0.18378689738681217

d = Beta(2.0, 3.5)
print "log_prob", d.log_prob(0.3); print "entropy", d.entropy(); print "kl", d.kl(Beta(1.5, 2.0))
print "at the ends",
  [d.log_prob(0.0), d.log_prob(1.0), Beta(1.0, 1.0).log_prob(1.0), Beta(0.5, 0.5).log_prob(0.0),
    d.log_prob(1.5)]
print "modes", [d.mode(), Beta(0.5, 2.0).mode(), Beta(2.0, 0.5).mode(), Beta(0.5, 0.5).mode()]
print "gamma",
  [Gamma(1.0).log_prob(0.0), Gamma(2.0).log_prob(0.0), Gamma(2.0).log_prob(-1.0),
    Gamma(0.5).log_prob(0.0)]
print "vectors",
  [Independent(Beta([2.0, 3.0], [2.0, 2.0])).log_prob([0.1, 0.4]),
    sum(Gamma([1.0, 1.0]).log_prob([0.5, 1.0]))]
print "not a number", [d.log_prob(0.0 / 0.0), Gamma(2.0).log_prob(0.0 / 0.0)]
# To a policy's parameters, at values inside the support.
param k = 2.0
c = k + 0.0
a = k + 0.5
index t in 0..3
x[t] = 0.4 + 0.01 * (0.5 + 0.1 * t)
print "slopes",
  [grad(mean(Gamma(c, 1.5).log_prob(x) for t), c), grad(mean(Beta(a, c).log_prob(x) for t), a),
    grad(mean(Beta(a, c).log_prob(x) for t), c)]
e = Bernoulli(0.3)
print "bernoulli", e.log_prob(true);
print "its entropy", e.entropy();
print "its kl", e.kl(Bernoulli(0.6))
