# A gradient at a fixed point that some b don't reach is zero there.
# expect: L = 1.4200001
# expect: g = 4.0
# expect: gx = [4.0, 0.0, 0.0]
index b in 0..3
index s in 0..7 until done
n[b, 0]         = 0
n[b, s+1]       = n + 1 + b
done            = n >= 5
w               = 0.5
x[b]            = w * b + w
v[b, s in 0..4] = 0.1 * s
v[b, 4]         = x[b] * 2.0
v[b, s in 5..7] = 0.3
y[b, s]         = v * v
L               = sum(y for b, s)
print "L", L
print "g", grad(L, w)
gx[b] = grad(L, x)
print "gx", list(gx[k] for k in 0..3)
