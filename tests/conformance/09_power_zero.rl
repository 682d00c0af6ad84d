# The derivative of x ^ 2 at 0 and of x ^ 2 at negative x.
# expect: g = [0.0, -3.0]
# expect: h = [0.0, -3.0]

x = [0.0, -1.5]
print "g", grad(sum(x ^ 2), x)
print "h", grad(sum(x ^ 2.0), x)
