# What is required passes the value on.
# args: n=4
# expect: y = [1.0, 2.0]
# expect: k = 3

param n = 2
module Halves(n: int) {
  size = require(n // 2, n % 2 == 0, "the number is even")
  apply(x: f32[n]) -> f32[size] = x[0..size]
}
y = Halves(n)([1.0, 2.0, 3.0, 4.0])
print y
print "k", require(3, true, "always")
