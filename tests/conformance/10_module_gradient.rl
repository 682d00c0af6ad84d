# The gradient by a module's weights.
# expect: W = [[0.44, 0.32]]
# expect: c = [0.94]
# expect: y[i=0] = [3.0]
# expect: y[i=1] = [2.34]

module Affine(n: int, m: int) {
  weight W: f32[m, n] = 0.5
  weight c: f32[m]    = 1.0
  apply(x: f32[n]) -> f32[m] = W @ x + c
}
net = Affine(2, 1)
index i in 0..2
w[0] = net.init()
y = net(w, [1.0, 3.0])
L = sum(y * y)
w[i+1] = w - 0.01 * grad(L, w)
print "W", w[1].W
print "c", w[1].c
print y
