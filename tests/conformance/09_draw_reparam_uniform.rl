# reparam of Uniform.
# expect: hi = 0.0
# expect: lo = 0.0

param lo = 1.0
param hi = 3.0
a ~ reparam(Uniform(lo, hi))
u = (a - lo) / (hi - lo)
print "hi", grad(a, hi) - u
print "lo", grad(a, lo) - (1.0 - u)
