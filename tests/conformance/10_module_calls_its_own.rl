# What an equation of a module calls may be a method or a function that stands below it.
# expect: b(w, [1.0, -2.0]) = [16.0, -32.0]

module B(n: int) {
  weight w: f32[n] = 1.0
  k = twice(2)
  h = helper(3)
  twice(x) = x * 2
  fn helper(x) = x + 1
  apply(x: f32[n]) = w * x * k * h
}
b = B(2)
w ~ b.init()
print b(w, [1.0, -2.0])
