# // is floor division.
# expect: a = 3
# expect: b = -4
# expect: c = -4
# expect: d = 3

print "a", 7 // 2
print "b", -7 // 2
print "c", 7 // -2
print "d", -7 // -2
