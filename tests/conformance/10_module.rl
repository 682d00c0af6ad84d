# A module has weights; init makes them and applying it takes them.
# expect: y = [3.0, 3.0, 3.0]
# expect: W = [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]

module Affine(n: int, m: int) {
  weight W: f32[m, n] = 0.5
  weight c: f32[m]    = 1.0
  apply(x: f32[n]) -> f32[m] = W @ x + c
}
net = Affine(2, 3)
w = net.init()
y = net(w, [1.0, 3.0])
print y
print "W", w.W
