# The gradient by a record is a record.
# expect: w = [6.0, 12.0]
# expect: c = 5.0

record P { w: f32[2], c: f32 }
p = P(w = [1.0, 2.0], c = 3.0)
L = sum(p.w * p.w) * p.c
g = grad(L, p)
print "w", g.w
print "c", g.c
