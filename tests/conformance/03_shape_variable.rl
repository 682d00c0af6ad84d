# A signature states shapes with variables, which are constants inside.
# expect: a = [-2.0, -1.0, 3.0]
# expect: b = [0.0]

fn centre(x: f32[n]) -> f32[n] {
  total = sum(x)
  x - total / n
}
a = centre([1.0, 2.0, 6.0])
b = centre([5.0])
print a; print b
