# log_prob, entropy, mode of Categorical.
# expect: log_prob[k=0] = -1.407605964
# expect: log_prob[k=1] = -0.4076059644
# expect: log_prob[k=2] = -2.407605964
# expect: entropy = 0.8323955818
# expect: mode = 1

d = Categorical(logits = [0.0, 1.0, -1.0])
index k in 0..3
print "log_prob", d.log_prob(k)
print "entropy", d.entropy()
print "mode", d.mode()
