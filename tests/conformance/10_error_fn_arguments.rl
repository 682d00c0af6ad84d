# Too few arguments are an error.
# error: E???? 5:* y

fn f(x: f32, y: f32) -> f32 = x + y
a = f(1.0)
