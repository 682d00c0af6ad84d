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
# expect: quantiles = 1.1979166666666665

use std.losses.{clipped_surrogate, clipped_value, huber, q_target, double_q_target, atoms, project,
  cross_entropy, quantile_huber}
print "up", clipped_surrogate(0.5, 2.0, 0.2); print "down", clipped_surrogate(0.5, -2.0, 0.2)
print "value", clipped_value(2.0, 1.0, 1.5, 0.2)
print "near", huber(0.5); print "far", huber(-3.0); print "wide", huber(-3.0, 2.0)
print "q", q_target(1.0, [1.0, 3.0], false, 0.9); print "last", q_target(1.0, [1.0, 3.0], true, 0.9)
print "double", double_q_target(1.0, [1.0, 3.0], [5.0, 2.0], false, 0.9)
z = atoms(-2.0, 2.0, 5)
p = [0.1, 0.2, 0.3, 0.25, 0.15]
print "projected", project(p, z, 0.7, false, 0.9); print "ended", project(p, z, 0.7, true, 0.9)
print "entropy", cross_entropy(p, [0.0, 1.0, 2.0, 0.5, -1.0])
print "quantiles", quantile_huber([-1.0, 0.5, 2.0], [0.0, 3.0])
