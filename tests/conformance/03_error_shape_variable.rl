# A shape variable has one value in a call.
# error: E???? 5:* n

fn inner(x: f32[n], y: f32[n]) -> f32 = sum(x * y)
a = inner([1.0, 2.0], [1.0, 2.0, 3.0])
