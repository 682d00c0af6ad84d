# A gradient's own domain is what the loss reads; its tensor has a point at the end all the same.
# L = p * (2 p + 3 p)
# expect: L = 1.25
# expect: grad(L, p) = 5.0
# expect: grad(grad(L, p), p) = 10.0
param p: f64 = 0.5
index b in 0..2
index s in 0..3 until s == 1
x[b, 0]   = p
x[b, s+1] = p * (if s == 1 then b + 1 else 0)
L = sum(p * x[b, s: j] for b, j in 0..3)
print L
print grad(L, p)
print grad(grad(L, p), p)
