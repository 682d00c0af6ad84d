# An unknown field is an error that suggests the nearest.
# error: E???? 6:* positon position

record P { position: f32, v: f32 }
p = P(position = 1.0, v = 2.0)
x = p.positon
