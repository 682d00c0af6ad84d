# % is floor modulo: its sign is that of the divisor.
# expect: a = 1
# expect: b = 2
# expect: c = -2
# expect: d = -1

print "a", 7 % 3
print "b", -7 % 3
print "c", 7 % -3
print "d", -7 % -3
