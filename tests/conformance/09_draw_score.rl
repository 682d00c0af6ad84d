# The gradient of log_prob at a draw.
# expect: difference = 0.0

param mu = 0.5
d = Normal(mu, 2.0)
a ~ d
g = grad(d.log_prob(a), mu)
print "difference", g - (a - mu) / 4.0
