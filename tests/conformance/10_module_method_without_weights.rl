# A method that reads no weights is called without them.
# expect: h[t=0] = [0.0, 0.0]
# expect: h[t=1] = [2.0, 2.0]
# expect: h[t=2] = [4.0, 4.0]

module Cell(n: int) {
  weight W: f32[n] = 1.0
  initial() = zeros([n])
  apply(x: f32, h: f32[n]) -> f32[n] = h + x * W
}
net = Cell(2)
w = net.init()
index t in 0..2
h[0]   = net.initial()
h[t+1] = net(w, 2.0, h)
print h
