# Where tanh rounds to 1, a narrow normal's log-probability is still that of its draw, and no cliff that a policy could take for entropy.
# tolerance: 1e-4
# expect: of the draw = 22.184937282566985
# expect: rounded = 22.29993729166353
# expect: its gradient = 0.0
# expect: at the other end = 26.29993729166353

m       = 10.0
g       = TanhNormal(m, 0.01)
rounded = g.log_prob(1.0)
print "of the draw", g.log_prob_tanh(10.005)
print "rounded", rounded; print "its gradient", grad(rounded, m)
print "at the other end", TanhNormal(-12.0, 0.01).log_prob(-1.0)
