# / is real division, of integers f32.
# expect: a = 3.5
# expect: b = -3.5
# expect: c = 0.3333333333
# expect: d = 3.5

print "a", 7 / 2
print "b", -7 / 2
print "c", 1 / 3
print "d", 7.0 / 2.0
