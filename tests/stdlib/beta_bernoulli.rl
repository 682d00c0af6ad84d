# Beta and Bernoulli.
# tolerance: 1e-4
# expect: log_prob = 0.6611802010988757
# expect: entropy = -0.2986902822759854
# expect: kl = 0.07902535682794731
# expect: at the ends = [-inf, -inf, 0.0, inf, -inf]
# expect: modes = [0.2857143, 0.0, 1.0, 0.5]
# expect: gamma = [0.0, -inf, -inf, inf]
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
e = Bernoulli(0.3)
print "bernoulli", e.log_prob(true);
print "its entropy", e.entropy();
print "its kl", e.kl(Bernoulli(0.6))
