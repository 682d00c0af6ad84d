# and, or, not.
# expect: a = [true, false, false, false]
# expect: b = [true, true, true, false]
# expect: c = [false, false, true, true]

a = [true, true, false, false]
b = [true, false, true, false]
print "a", a and b
print "b", a or b
print "c", not a
