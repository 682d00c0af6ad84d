# A policy gives a distribution.
# expect: p = -0.3132616875
# expect: inside = true

module Affine(n: int, m: int) {
  weight W: f32[m, n] = 0.5
  apply(x: f32[n]) -> f32[m] = W @ x
}
policy Actor(obs: f32[2]) -> Categorical {
  net = Affine(2, 2)
  Categorical(logits = net(obs) * [0.0, 1.0])
}
w ~ Actor.init()
pi = Actor(w, [1.0, 1.0])
print "p", pi.log_prob(1)
a ~ pi
print "inside", a >= 0 and a < 2
