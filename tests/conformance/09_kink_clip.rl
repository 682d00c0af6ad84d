# clip gives 1 at a bound.
# expect: clip = [0.0, 1.0, 1.0, 1.0, 0.0]

x = [-2.0, -1.0, 0.5, 1.0, 3.0]
print "clip", grad(sum(clip(x, -1.0, 1.0)), x)
