# Several discrete actions: the sums over independent categoricals.
# tolerance: 1e-4
# expect: log_prob = -1.5545729841753797
# expect: entropy = 1.2037877135674924
# expect: mode = [2, 0]
# expect: legal = true
# expect: kl = 1.5551281222332218
# expect: kl to itself = 0.0

index k in 0..300
d    = MultiDiscrete([[0.5, -1.0, 2.0], [1.0, 0.0, 5.0]], [[true, true, true], [true, true, false]])
a[k] ~ d
print "log_prob", d.log_prob([2, 1]); print "entropy", d.entropy(); print "mode", d.mode()
print "legal", all(a[..][1] < 2 and a[..][0] < 3 for k)
print "kl",
  d.kl(
    MultiDiscrete([[0.0, 1.0, -1.0], [2.0, 0.5, 7.0]], [[true, true, true], [true, true, false]]))
print "kl to itself", d.kl(d)
