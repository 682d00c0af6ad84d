# An argument must have the stated shape.
# error: E???? 5:* x

fn twice(x: f32) -> f32 = 2.0 * x
a = twice([1.0, 2.0])
