# What a first derivative is multiplied by is zero at a minimum, its own derivative is not: d²/dp² (√p - 2)² = 1/8 at 4.
# expect: second = 0.125
# expect: mixed = 2.0
p     = 4.0
w     = 2.0
y     = if p > 0.0 then sqrt(p) else 0.0
loss  = (y - 2.0)^2
z     = if p > 0.0 then w * sqrt(p) else 0.0
loss2 = (z - 4.0)^2
print "second", grad(grad(loss, p), p)
print "mixed", grad(grad(loss2, p), w)
