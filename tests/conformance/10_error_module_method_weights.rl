# A method that reads weights through another one is not called without them.
# error: E0201 9:13 weights Cell

module Cell(n: int) {
  weight W: f32[n] = 1.0
  scaled(h) = h * W
  apply(h: f32[n]) -> f32[n] = scaled(h)
}
y = Cell(3)([1.0, 2.0, 3.0])
