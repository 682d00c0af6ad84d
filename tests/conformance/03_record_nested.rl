# Records hold records.
# expect: a = 1.5
# expect: b = 3

record Q { a: f32, b: i32 }
record P { q: Q, c: f32 }
p = P(q = Q(a = 1.5, b = 2), c = 3.0)
a = p.q.a
b = p.q.b + 1
print a; print b
