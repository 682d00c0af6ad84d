# Names inside a function are its own.
# expect: a = 103.0

fn f(x: f32) -> f32 {
  y = 2.0 * x
  y + 1.0
}
y = 100.0
a = f(1.0) + y
print a
