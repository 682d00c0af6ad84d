# log_prob, entropy, mode, mean of Normal.
# expect: log_prob = -1.350791353
# expect: entropy = 0.7257913526
# expect: mode = 1.0
# expect: mean = 1.0

d = Normal(1.0, 0.5)
print "log_prob", d.log_prob(1.75)
print "entropy", d.entropy()
print "mode", d.mode()
print "mean", d.mean()
