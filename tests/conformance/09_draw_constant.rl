# A draw is a constant to a gradient.
# expect: difference = 0.0

param mu = 0.5
a ~ Normal(mu, 1.0)
g = grad(a * mu, mu)
print "difference", g - a
