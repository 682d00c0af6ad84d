# Prints are in source order, wherever the equations stand.
# expect: b = 2
# expect: y = 2
# expect: x = 1
# expect: a = 1

print "b", 2
print y
x = 1
print x
y = x + 1
print "a", 1
