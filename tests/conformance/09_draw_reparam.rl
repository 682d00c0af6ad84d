# reparam lets the gradient through a draw.
# expect: mean = 1.0
# expect: scale = 0.0

param mu = 0.5
param sigma = 2.0
a ~ reparam(Normal(mu, sigma))
print "mean", grad(a, mu)
print "scale", grad(a, sigma) - (a - mu) / sigma
