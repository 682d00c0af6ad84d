# Draws of unbounded boxes, as Gymnasium's, and a Bernoulli distribution by its logits.
# tolerance: 2e-2
# expect: means = [0.5, 3.0, -3.0, 0.0]
# expect: deviations = [0.288675, 1.0, 1.0, 1.0]
# expect: within = true
# expect: clipped = [true, true]
# expect: log_prob = [-4.24835e-18, -40.0, -2.126928]
# expect: slopes = [4.24835e-18, -1.0]
# expect: entropy = [0.3653339, 1.741825e-16]
# expect: kl = [0.3278133, 0.3278133, 0.0]
# expect: how often = 0.119203
# expect: likeliest = [false, true]
use std.envs.Pendulum
use std.wrappers.ClipActions

box = Box([0.0, 2.0, -inf, -inf], [1.0, inf, -2.0, inf])
index k in 0..40000
x[k] ~ box
print "means", mean(x for k)
print "deviations", std(x for k)
print "within", all(all(x >= [0.0, 2.0, -inf, -inf]) and all(x <= [1.0, inf, -2.0, inf]) for k)
a[k] ~ ClipActions(Pendulum).action_space
print "clipped", [all(isfinite(a[k][0]) for k), any(abs(a[k][0]) > 2.0 for k)]

d = Bernoulli(logits = -2.0)
param far = 40.0
l = far + 0.0
print "log_prob",
  [Bernoulli(logits = l).log_prob(true), Bernoulli(logits = l).log_prob(false), d.log_prob(true)]
print "slopes",
  [grad(Bernoulli(logits = l).log_prob(true), l), grad(Bernoulli(logits = l).log_prob(false), l)]
print "entropy", [d.entropy(), Bernoulli(logits = l).entropy()]
print "kl",
  [d.kl(Bernoulli(0.5)), Bernoulli(sigmoid(-2.0)).kl(Bernoulli(logits = 0.0)), d.kl(d)]
y[k] ~ d
print "how often", mean(f32(y) for k)
print "likeliest", [d.mode(), Bernoulli(logits = l).mode()]
