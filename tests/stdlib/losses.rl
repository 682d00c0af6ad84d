# Losses from their papers' formulas.
# tolerance: 1e-4
# expect: up = -2.4
# expect: down = 3.2974425414002564
# expect: value = 0.125
# expect: near = 0.125
# expect: far = 2.5
# expect: wide = 4.0
# expect: q = 3.7
# expect: last = 1.0
# expect: double = 1.9
# expect: projected = [0.010000000000000009, 0.13000000000000003, 0.24999999999999992, 0.31000000000000005, 0.30000000000000004]
# expect: ended = [0.0, 0.0, 0.3, 0.7, 0.0]
# expect: entropy = 1.7994379396277962
# expect: divergence = 0.25495841853093587
# expect: of one atom = 1.5744379396277959
# expect: its gradient = [-0.023803362124200783, 0.0071239361274592905, 0.2630212318141845, -0.1243729823783348, -0.12196882343910823]
# expect: error = 0.48069832252333894
# expect: error at an end = 1.0135736375729032
# expect: quantiles = 1.1979166666666665

use std.losses.{clipped_surrogate, clipped_value, huber, q_target, double_q_target, atoms, project,
  cross_entropy, divergence, distributional_error, quantile_huber}
print "up", clipped_surrogate(0.5, 2.0, 0.2); print "down", clipped_surrogate(0.5, -2.0, 0.2)
print "value", clipped_value(2.0, 1.0, 1.5, 0.2)
print "near", huber(0.5); print "far", huber(-3.0); print "wide", huber(-3.0, 2.0)
print "q", q_target(1.0, [1.0, 3.0], false, 0.9); print "last", q_target(1.0, [1.0, 3.0], true, 0.9)
print "double", double_q_target(1.0, [1.0, 3.0], [5.0, 2.0], false, 0.9)
z = atoms(-2.0, 2.0, 5)
p = [0.1, 0.2, 0.3, 0.25, 0.15]
print "projected", project(p, z, 0.7, false, 0.9); print "ended", project(p, z, 0.7, true, 0.9)
print "entropy", cross_entropy(p, [0.0, 1.0, 2.0, 0.5, -1.0])
print "divergence", divergence(p, [0.0, 1.0, 2.0, 0.5, -1.0]);
print "of one atom", divergence([0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.5, -1.0])
x = [0.0, 1.0, 2.0, 0.5, -1.0]
print "its gradient", grad(divergence(p, x), x)
print "error", distributional_error(x, [1.0, 0.5, 0.0, -0.5, 0.25], z, 0.7, 0.81);
print "error at an end", distributional_error(x, [1.0, 0.5, 0.0, -0.5, 0.25], z, 0.7, 0.0)
print "quantiles", quantile_huber([-1.0, 0.5, 2.0], [0.0, 3.0])
