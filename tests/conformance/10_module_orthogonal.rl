# A weight drawn from Orthogonal has orthogonal rows of length gain.
# tolerance: 1e-4
# expect: product = [[2.0, 0.0], [0.0, 2.0]]

module Map(n: int, m: int, gain = sqrt(2.0)) {
  weight W: f32[m, n] ~ Orthogonal(gain)
  apply(x: f32[n]) -> f32[m] = W @ x
}
net = Map(4, 2)
w ~ net.init()
print "product", w.W @ transpose(w.W)
