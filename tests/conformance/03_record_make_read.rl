# A record is made by its name and read by fields.
# expect: a = 1.0
# expect: b = 3.0

record P { x: f32, v: f32[2] }
p = P(x = 1.0, v = [2.0, 3.0])
a = p.x
b = p.v[1]
print a; print b
