# A constant that is summed, also over nothing.
# expect: nothing = 0.0
# expect: finite = 3500.0
# expect: infinite = -inf
# expect: wraps = -2
print "nothing", sum(-inf for q in 0..0)
print "finite", sum(0.5 for q in 0..1000, p in 2..9)
print "infinite", sum(-inf for q in 0..3)
print "wraps", sum(2147483647 for q in 0..2)
