# Neural networks. A module's weights are a record, nested by the names of its parts.

## y = W x + c
module Dense(n: int, m: int, gain = sqrt(2.0)) {
  weight W: f32[m, n] ~ Orthogonal(gain)
  weight c: f32[m]    = 0.0
  apply(x: f32[n]) -> f32[m] = W @ x + c
}

## Dense layers with an activation between them: Mlp(4, [64, 64], 2, tanh).
module Mlp(n: int, hidden, m: int, activation = tanh, gain = sqrt(2.0), last_gain = 1.0) {
  sizes  = concat([n], hidden, [m])
  depth  = len(sizes) - 1
  layers = list(Dense(sizes[k], sizes[k + 1], if k + 1 < depth then gain else last_gain) for k in 0..depth)
  apply(x: f32[n]) -> f32[m] = through(x, 0)
  through(x, k) = if k == depth - 1 then layers[k](x) else through(activation(layers[k](x)), k + 1)
}
