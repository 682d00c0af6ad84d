# A leaf that is read through integers only is said; one that is read through draws only is not, where another leaf gets a gradient.
# warning: E0403 13:7 `L` depends on `p.b` only through an integer
# expect: grad(L, p) = {a: 2.0, b: 0.0}
# expect: both = {a: 3.0, b: 0.0}

record P { a: f32, b: f32 }
p = P(a = 1.0, b = 0.5)
L = p.a^2 + f32(i32(p.b))
x ~ Bernoulli(p.b)
M = 3.0 * p.a + (if x then 1.0 else 0.0)
D = detach(p.b) * p.a

print grad(L, p)
print "both", grad(M, p)
