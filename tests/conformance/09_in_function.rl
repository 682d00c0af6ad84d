# grad inside a function.
# expect: s[t=0] = 1.0
# expect: s[t=1] = 3.0
# expect: s[t=2] = 5.0

fn slope(x: f32) -> f32 {
  y = x ^ 2 + x
  grad(y, x)
}
index t in 0..3
s = slope(1.0 * t)
print s
