# A function with equations; the last expression is the result.
# expect: a = 5.0

fn f(x: f32, y: f32) -> f32 {
  s = x + y
  d = x - y
  s * d
}
a = f(3.0, 2.0)
print a
