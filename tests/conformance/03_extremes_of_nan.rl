# An extreme of NaN is NaN, known to the compiler or not, on either side.
# expect: known = [nan, nan, nan, nan]
# expect: data = [nan, nan, nan, nan]
u ~ Uniform(0.0, 1.0)
x = if u < 2.0 then nan else u
print "known", [maximum(1.0, nan), maximum(nan, 1.0), min(1.0, nan), max(nan, 1.0, 2.0)]
print "data", [maximum(1.0, x), maximum(x, 1.0), min(1.0, x), max(x, 1.0, 2.0)]
