# log_prob at a draw agrees with the formula.
# expect: error = 0.0

index k in 0..50
mu[k] = 0.1 * k
d = Normal(mu, 0.5)
x ~ d
lp = d.log_prob(x)
want = -2.0 * (x - mu) ^ 2 - log(0.5) - 0.91893853
print "error", max(abs(lp - want) for k)
