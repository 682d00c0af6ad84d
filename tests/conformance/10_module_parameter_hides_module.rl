# A function's parameter hides a module of its name: what it makes is what it is given.
# expect: y = 7.0
# expect: z = 6.0
module Scale(x: f32) {
  weight w: f32 = 3.0
  apply(y: f32) -> f32 = x * y * w
}

fn double(x) = 2.0 * x
fn through(Scale, x) = Scale(x)

module Uses() {
  weight w: f32 = 3.0
  size   = through(double, w)
  apply(x: f32) -> f32 = size + x
}

u = Uses()
v = Uses.init()
y = u(v, 1.0)
z = through(double, 3.0)
print y
print z
