# The policy gradient of a categorical distribution.
# expect: g = [-0.2447284711, -0.6652409558, 0.9099694268]

logits = [0.0, 1.0, -1.0]
d = Categorical(logits = logits)
g = grad(d.log_prob(2), logits)
print g
