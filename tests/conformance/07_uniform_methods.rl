# log_prob, entropy, mean of Uniform.
# expect: log_prob = -1.386294361
# expect: entropy = 1.386294361
# expect: mean = 1.0

d = Uniform(-1.0, 3.0)
print "log_prob", d.log_prob(0.5)
print "entropy", d.entropy()
print "mean", d.mean()
