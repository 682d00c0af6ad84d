# entropy of Bernoulli.
# expect: entropy = 0.6108643021

d = Bernoulli(0.3)
print "entropy", d.entropy()
