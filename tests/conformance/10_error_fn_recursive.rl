# A function cannot call itself.
# error: E???? 4:* f

fn f(x: f32) -> f32 = f(x - 1.0)
a = f(3.0)
