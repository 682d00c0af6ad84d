# Returns and advantages, from their definitions as sums.
# tolerance: 1e-4
# expect: mc[t=0] = 2.17
# expect: mc[t=1] = 1.3
# expect: mc[t=2] = 2.0
# expect: mc[t=3] = 3.7800000000000002
# expect: mc[t=4] = 4.2
# expect: mc[t=5] = 3.0
# expect: one[t=0] = 1.9
# expect: one[t=1] = -1.4
# expect: one[t=2] = 2.0
# expect: one[t=3] = 0.0
# expect: one[t=4] = 2.4
# expect: one[t=5] = 5.25
# expect: three[t=0] = 2.17
# expect: three[t=1] = 1.3
# expect: three[t=2] = 2.0
# expect: three[t=3] = 5.602500000000001
# expect: three[t=4] = 6.2250000000000005
# expect: three[t=5] = 5.25
# expect: td[t=0] = 1.7272000000000003
# expect: td[t=1] = 0.7600000000000001
# expect: td[t=2] = 2.0
# expect: td[t=3] = 3.9312000000000014
# expect: td[t=4] = 5.46
# expect: td[t=5] = 5.25
# expect: gae[t=0] = 1.2271999999999998
# expect: gae[t=1] = -0.23999999999999977
# expect: gae[t=2] = 3.0
# expect: gae[t=3] = 1.9312000000000005
# expect: gae[t=4] = 5.460000000000001
# expect: gae[t=5] = 4.25
# expect: trace[t=0] = 1.1136
# expect: trace[t=1] = 0.7600000000000002
# expect: trace[t=2] = 2.0
# expect: trace[t=3] = 3.1449600000000006
# expect: trace[t=4] = 4.368
# expect: trace[t=5] = 5.25
# expect: retrace[t=0] = 1.3527999999999998
# expect: retrace[t=1] = 0.040000000000000036
# expect: retrace[t=2] = 2.0
# expect: retrace[t=3] = 2.822400000000001
# expect: retrace[t=4] = 6.9
# expect: retrace[t=5] = 5.25
# expect: q[t=0] = 1.9
# expect: q[t=1] = 0.7600000000000001
# expect: q[t=2] = 2.0
# expect: q[t=3] = 1.7280000000000002
# expect: q[t=4] = 2.4
# expect: q[t=5] = 5.25
# expect: brought[t=0] = 1.0
# expect: brought[t=1] = 0.55
# expect: brought[t=2] = 2.17
# expect: brought[t=3] = 2.17
# expect: brought[t=4] = 2.17
# expect: brought[t=5] = 2.17
# expect: steps[t=0] = 1
# expect: steps[t=1] = 2
# expect: steps[t=2] = 3
# expect: steps[t=3] = 3
# expect: steps[t=4] = 3
# expect: steps[t=5] = 3
# expect: boot = 10.0
# expect: end = 1.0

use std.returns.{monte_carlo, n_step, td_lambda, gae, v_trace, retrace, q_lambda, bootstrapped,
  replayed_return}
index t in 0..6
r             = [1.0, -0.5, 2.0, 0.0, 1.5, 3.0][t]
v[t in 0..=6] = [0.5, 1.0, -1.0, 2.0, 0.0, 1.0, 2.5][t]
done          = t == 2
ratio         = [0.5, 2.0, 1.0, 1.5, 0.8, 3.0][t]
q             = [0.3, 0.8, 0.0, 1.0, 2.0, -1.0][t]
greedy        = t != 1 and t != 5
print "mc", monte_carlo(r, done, 0.9)
print "one", n_step(r, v, done, 0.9, 1)
print "three", n_step(r, v, done, 0.9, 3)
print "td", td_lambda(r, v, done, 0.9, 0.8)
print "gae", gae(r, v, done, 0.9, 0.8)
print "trace", v_trace(r, v, done, ratio, 0.9, 0.8)
print "retrace", retrace(r, q, v, done, ratio, 0.9, 0.8)
print "q", q_lambda(r, v, greedy, done, 0.9, 0.8)
path = replayed_return(r, done, 0.9, d = t)
print "brought", path.R
print "steps", path.steps
print "boot", bootstrapped(1.0, 10.0, false, true, 0.9);
print "end", bootstrapped(1.0, 10.0, true, true, 0.9)
