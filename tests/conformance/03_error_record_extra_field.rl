# Only fields of the record may be given.
# error: E???? 5:* w

record P { x: f32 }
p = P(x = 1.0, w = 2.0)
