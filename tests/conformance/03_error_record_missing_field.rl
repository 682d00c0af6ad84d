# All fields of a record must be given.
# error: E???? 5:* v

record P { x: f32, v: f32 }
p = P(x = 1.0)
