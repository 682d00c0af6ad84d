# Neural networks. A module's weights are a record, nested by the names of its parts.

## A random matrix with orthonormal rows (or columns, if there are fewer of these), times `gain` (Saxe et al., 2014).
module Orthogonal(gain = 1.0) {
  sample() = gain * orthogonal(target_shape())
  orthogonal(shape) =
    if shape[0] <= shape[1] then gram_schmidt(standard_normal()) else transpose(gram_schmidt(transpose(standard_normal())))
}

## The rows of `a` made orthonormal, one after the other (modified by a second pass, so that rounding does not accumulate).
fn gram_schmidt(a: f32[n, m]) {
  index row in 0..n
  once[row]  = a[row] - sum(dot(a[row], q[k]) * q[k] for k in 0..row)
  twice[row] = once - sum(dot(once, q[k]) * q[k] for k in 0..row)
  q[row]     = twice / norm(twice)
  q[0..n]
}

## Normal weights of standard deviation sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010).
module Glorot(gain = 1.0) {
  sample() = scaled(target_shape())
  scaled(shape) = gain * sqrt(2.0 / (shape[0] + shape[1])) * standard_normal()
}

## Normal weights of standard deviation sqrt(2 / fan_in), for relu (He et al., 2015).
module He(gain = 1.0) {
  sample() = scaled(target_shape())
  scaled(shape) = gain * sqrt(2.0 / shape[1]) * standard_normal()
}

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
