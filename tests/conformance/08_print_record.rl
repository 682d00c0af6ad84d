# Records are printed with their fields.
# expect: p = {x: 1.5, v: [2, 3]}

record P { x: f32, v: i32[2] }
p = P(x = 1.5, v = [2, 3])
print p
