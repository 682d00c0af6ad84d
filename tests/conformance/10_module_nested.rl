# Modules hold modules.
# expect: y = [36.0]

module Affine(n: int, m: int, start = 1.0) {
  weight W: f32[m, n] = start
  apply(x: f32[n]) -> f32[m] = W @ x
}
module Two(n: int) {
  first = Affine(n, 2)
  second = Affine(2, 1, 0.5)
  apply(x: f32[n]) -> f32[1] = second(first(x) ^ 2.0)
}
net = Two(3)
w = net.init()
y = net(w, [1.0, 2.0, 3.0])
print y
