# detach cuts.
# expect: cut = 3.0
# expect: whole = 0.0

param x = 3.0
print "cut", grad(x * detach(x), x)
print "whole", grad(detach(x ^ 2), x)
