# What is learned only through a draw is not learned: the gradient is 0, and that is said.
# warning: E0403 7:7 this gradient is 0: `cost` depends on `mu` only through a draw
# expect: grad(cost, mu) = 0.0
mu   = 0.5
a    ~ Normal(mu, 1.0)
cost = (a - 1.0)^2
print grad(cost, mu)
