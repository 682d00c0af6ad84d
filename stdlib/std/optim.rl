# Optimizers: a state that goes with the weights, and step(weights, state, gradient) -> (weights, state). All of it applies leaf by leaf to
# records. `Adam.step(...)` uses the defaults; `Adam(b1 = 0.8).step(...)` others.

## Stochastic gradient descent, with momentum if it is not 0 (Sutskever et al., 2013).
module SGD(momentum = 0.0) {
  init(θ) = { v = zeros_like(θ) }
  step(θ, s, g, lr = 1e-2) {
    v = momentum * s.v + g
    (θ - lr * v, { v = v })
  }
}

## Adam (Kingma and Ba, 2015, algorithm 1).
module Adam(b1 = 0.9, b2 = 0.999, eps = 1e-8) {
  init(θ) = { m = zeros_like(θ), v = zeros_like(θ), n = 0 }
  step(θ, s, g, lr = 1e-3) {
    n = s.n + 1
    m = b1 * s.m + (1.0 - b1) * g
    v = b2 * s.v + (1.0 - b2) * g * g
    (θ - lr * (m / (1.0 - b1^n)) / (sqrt(v / (1.0 - b2^n)) + eps), { m = m, v = v, n = n })
  }
}
