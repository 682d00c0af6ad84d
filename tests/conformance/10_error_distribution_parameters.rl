# Parameters that a distribution cannot have are wrong where they are given.
# error: E0211 11:17 scale is not negative
# error: E0211 12:15 the probability p is in [0, 1]
# error: E0211 13:13 low is at most high
# error: E0211 14:12 a is above 0
# error: E0211 15:17 rate is above 0
# error: E0211 16:11 concentration is above 0
# error: E0211 17:18 scale is not negative
# error: E0211 18:21 scale is not negative
# error: E0211 19:19 scale is not negative
y ~ Normal(0.0, -2.0)
b ~ Bernoulli(1.5)
u ~ Uniform(1.0, 0.0)
print Beta(-1.0, 1.0).log_prob(0.5)
e ~ Exponential(0.0)
g ~ Gamma(-1.0)
l ~ Laplace(0.0, -1.0)
n ~ TanhNormal(0.0, -1.0)
print Normal(0.0, -0.5).entropy()
