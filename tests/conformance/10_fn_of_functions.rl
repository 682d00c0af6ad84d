# Functions call functions.
# expect: a = 16.0

fn sq(x: f32) -> f32 = x * x
fn quad(x: f32) -> f32 = sq(sq(x))
a = quad(2.0)
print a
