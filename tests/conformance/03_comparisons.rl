# All comparisons.
# expect: a = true
# expect: b = true
# expect: c = false
# expect: d = false
# expect: f = true
# expect: g = false
# expect: h = [true, false, false]

print "a", 1 < 2
print "b", 2 <= 2
print "c", 1 > 2
print "d", 2 >= 3
print "f", 2 == 2.0
print "g", 2 != 2
print "h", [1, 5, 3] < [2, 4, 3]
