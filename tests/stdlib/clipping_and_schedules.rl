# Clipping, schedules, averages of weights.
# tolerance: 1e-4
# expect: norm = 13.0
# expect: short = [0.30000000000000004, -0.4]
# expect: short enough = 12.0
# expect: value = [3.0, -3.5]
# expect: linear = 0.8
# expect: cosine = 0.882842712474619
# expect: constant = 0.3
# expect: warm = 0.4
# expect: hot = 0.8
# expect: average = 11.0

use std.optim.{clip_by_global_norm, clip_by_value, global_norm, linear, cosine, warm_up, constant,
  polyak}
g = { a = [3.0, -4.0], b = 12.0 }
print "norm", global_norm(g)
print "short", clip_by_global_norm(g, 1.3).a
print "short enough", clip_by_global_norm(g, 20.0).b
print "value", clip_by_value(g, 3.5).a
print "linear", linear(1.0, 0.2, 0.25);
print "cosine", cosine(1.0, 0.2, 0.25);
print "constant", constant(0.3, 0.5)
print "warm", warm_up(0.8, 1, 4); print "hot", warm_up(0.8, 9, 4)
print "average", polyak(g, { a = [0.0, 0.0], b = 2.0 }, 0.1).b
