# Descent with a record of parameters.
# expect: w = [0.25, 0.5]
# expect: c = 1.5

record P { w: f32[2], c: f32 }
index i in 0..2
p[0] = P(w = [1.0, 2.0], c = 3.0)
L = sum(p.w ^ 2.0) + (p.c - 1.0) ^ 2
p[i+1] = p - 0.25 * grad(L, p)
q = p[2]
print "w", q.w
print "c", q.c
