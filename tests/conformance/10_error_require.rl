# A requirement that does not hold is an error, with its own words.
# error: E0211 5:10 even

module Halves(n: int) {
  size = require(n // 2, n % 2 == 0, "the number is even")
  apply(x: f32[n]) -> f32[size] = x[0..size]
}
y = Halves(5)([1.0, 2.0, 3.0, 4.0, 5.0])
