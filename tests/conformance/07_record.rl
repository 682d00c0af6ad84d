# A draw like a record draws each of its tensors, from streams of their own.
# tolerance: 0.1
# expect: w = [3.0, 0.0]
# expect: b = 4.0
# expect: apart = true

record P { w: f32[2], b: f32 }
p = P(w = [3.0, 0.0], b = 4.0)
index k in 0..2000
x[k] ~ Normal(p, 1.0)
m = mean(x for k)
print "w", m.w; print "b", m.b
print "apart", all(abs(x.w[..][0] - x.b + 1.0) > 1e-6 for k)
