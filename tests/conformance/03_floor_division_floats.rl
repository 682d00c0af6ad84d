# // and % of floats are floor division and floor modulo, too.
# expect: a = 3.0
# expect: b = -4.0
# expect: c = 1.5
# expect: d = 0.5
# expect: f = -0.5

print "a", 7.5 // 2.0
print "b", -7.5 // 2.0
print "c", 7.5 % 2.0
print "d", -7.5 % 2.0
print "f", 5.5 % -2.0
