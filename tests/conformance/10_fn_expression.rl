# A function with an expression as its body.
# expect: a = 10.0

fn sq(x: f32) -> f32 = x * x
a = sq(3.0) + sq(x = 1.0)
print a
