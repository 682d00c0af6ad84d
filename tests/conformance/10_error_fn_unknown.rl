# An unknown function is an error that suggests the nearest.
# error: E???? 5:* discont discount

fn discount(x: f32) -> f32 = 0.9 * x
a = discont(1.0)
