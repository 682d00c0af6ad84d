# The gradient of prod holds where an element is 0.
# expect: one zero = [0.0, 6.0, 0.0]
# expect: two zeros = [0.0, 0.0, 0.0]

a = [2.0, 0.0, 3.0]
print "one zero", grad(prod(a), a)
b = [0.0, 0.0, 3.0]
print "two zeros", grad(prod(b), b)
