# A factor that has no value past the end is no named tensor, but made of one: there it is not read.
# expect: product = 4.9698133
# expect: tanh = 2.0
# expect: detached = 2.4849067
# expect: static = 2.480453
index b in 0..2
index s in 0..9 until d
r       = 0.5
t[b, s] = log(2.0 + b - s)
d[b, s] = s == 1 + b
print "product", grad(sum(t * 2.0 * r for b, s), r)
print "tanh", grad(sum(tanh(t) * r for b, s), r)
print "detached", grad(sum(detach(t) * r for b, s), r)
print "static", grad(sum((if s > 0 then t * t * r else r) * r for b, s), r)
