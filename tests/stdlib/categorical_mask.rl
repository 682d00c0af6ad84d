# A mask takes actions out: probabilities, entropy, divergence and gradients of the others.
# tolerance: 1e-4
# expect: probs = [0.5465493872661796, 0.12195165230972885, 0.0, 0.3314989604240915]
# expect: log_prob = -1.1041306053367284
# expect: entropy = 0.9528075640133673
# expect: kl = 0.6643457085453754
# expect: mode = 0
# expect: legal = true
# expect: gradient = [-0.6101942619434688, -0.014201091079370284, 0.0, 0.6243953530228389]
# expect: gradient of the entropy = [-0.19056917811855212, 0.14040574723164612, 0.0, 0.05016343088690603]
# expect: gradient of the divergence = [0.07604122526536981, -0.2879120400029773, 0.0, 0.21187081473760755]
# expect: gradient of the log-probability = [-0.5465493872661796, -0.12195165230972885, 0.0, 0.6685010395759086]

param n = 400
index k in 0..n
x       = [0.5, -1.0, 2.0, 0.0]
d       = Categorical(x, [true, true, false, true])
e       = Categorical([0.0, 1.0, 3.0, -1.0], [true, true, false, true])
a[k]    ~ Categorical([0.5, -1.0, 20.0, 0.0], [true, true, false, true])
weighed = sum(d.probs() * [1.0, 2.0, 3.0, 4.0])
h       = d.entropy()
apart   = d.kl(e)
lp      = d.log_prob(3)
print "probs", d.probs();
print "log_prob", lp;
print "entropy", h;
print "kl", apart;
print "mode", d.mode()
print "legal", all(a != 2 for k)
print "gradient", grad(weighed, x)
print "gradient of the entropy", grad(h, x)
print "gradient of the divergence", grad(apart, x)
print "gradient of the log-probability", grad(lp, x)
