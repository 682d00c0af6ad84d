# Modules, envs and policies can be parameters of functions.
# expect: a = 2.0
# expect: b = 20.0

module Affine(n: int, m: int) {
  weight W: f32[m, n] = 0.5
  apply(x: f32[n]) -> f32[m] = W @ x
}
module Square(n: int, m: int) {
  weight W: f32[m, n] = 2.0
  apply(x: f32[n]) -> f32[m] = W @ x ^ 2.0
}
fn first_output(M: module, x: f32[2]) -> f32 {
  net = M(2, 1)
  y = net(net.init(), x)
  y[0]
}
a = first_output(Affine, [1.0, 3.0])
b = first_output(Square, [1.0, 3.0])
print a; print b
