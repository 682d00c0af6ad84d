# Optimizers: a state that goes with the weights, and step(weights, state, gradient) -> (weights, state). All of it applies leaf by leaf to
# records. `Adam.step(...)` uses the defaults; `Adam(b1 = 0.8).step(...)` others.

## x, or 0 where it is smaller than `least`: a moment that no gradient has fed for long would stay among the subnormal numbers, on which processors
## are many times slower. PyTorch's `torch.set_flush_denormal` does the same a little later, below 1.2e-38.
fn settled(x, least = 1e-37) = x * f32(abs(x) >= least)

## Stochastic gradient descent, with momentum if it is not 0 (Sutskever et al., 2013, equations 1 to 4, in PyTorch's form: v = momentum v + g, θ = θ - lr v);
## `nesterov` looks one step ahead. θ and g: records of f32 of the same shapes; lr: f32.
module SGD(momentum = 0.0, nesterov = false) {
  init(θ) = { v = zeros_like(θ) }
  step(θ, s, g, lr = 1e-2) {
    v = if momentum != 0.0 then momentum * settled(s.v) + g else g
    (θ - lr * (if nesterov then g + momentum * v else v), { v = v })
  }
}

## RMSProp (Tieleman and Hinton, 2012): the gradient over the root of its mean square. `inside = false` is PyTorch's convention, g / (sqrt(v) + eps);
## `inside = true` is TensorFlow's (and that of A2C's and DQN's papers), g / sqrt(v + eps), with averages that start from 1. `centered`
## subtracts the square of the mean (Graves, 2013). θ and g: records of f32 of the same shapes; lr: f32.
module RMSProp(decay = 0.99, eps = 1e-8, momentum = 0.0, inside = false, centered = false) {
  init(θ) = { v = zeros_like(θ) + (if inside then 1.0 else 0.0), m = zeros_like(θ),
    b = zeros_like(θ) }
  step(θ, s, g, lr = 1e-2) {
    # The square of the mean stays at most the mean of the squares, also where both are settled.
    v = decay * settled(s.v, 1e-36) + (1.0 - decay) * g * g
    m = if centered then decay * settled(s.m, 2e-18) + (1.0 - decay) * g else s.m
    u = if centered then v - m * m else v
    q = g / (if inside then sqrt(u + eps) else sqrt(u) + eps)
    b = if momentum != 0.0 then momentum * settled(s.b) + q else q
    (θ - lr * b, { v = v, m = m, b = b })
  }
}

## Adam (Kingma and Ba, 2015, algorithm 1). θ and g: records of f32 of the same shapes; lr: f32.
module Adam(b1 = 0.9, b2 = 0.999, eps = 1e-8) {
  init(θ) = { m = zeros_like(θ), v = zeros_like(θ), n = 0 }
  step(θ, s, g, lr = 1e-3) {
    n = s.n + 1
    m = b1 * settled(s.m) + (1.0 - b1) * g
    v = b2 * settled(s.v) + (1.0 - b2) * g * g
    # The corrections of the bias are two numbers for all weights, which leaves one division for each of them.
    rate  = lr / (1.0 - b1^n)
    scale = 1.0 / sqrt(1.0 - b2^n)
    (θ - rate * m / (scale * sqrt(v) + eps), { m = m, v = v, n = n })
  }
}

## Adam with decoupled weight decay (Loshchilov and Hutter, 2019, algorithm 2): the weights shrink by lr * decay a step. θ and g: records of f32 of the
## same shapes; lr: f32.
module AdamW(b1 = 0.9, b2 = 0.999, eps = 1e-8, decay = 1e-2) {
  init(θ)                  = Adam(b1, b2, eps).init(θ)
  step(θ, s, g, lr = 1e-3) = Adam(b1, b2, eps).step((1.0 - lr * decay) * θ, s, g, lr)
}

## Rectified Adam (Liu et al., 2020, algorithm 2): plain momentum while the variance of the step size can't be told, Adam with a warm-up after that;
## from a length of 5 on, as PyTorch has it, where the paper has 4. θ and g: records of f32 of the same shapes; lr: f32.
module RAdam(b1 = 0.9, b2 = 0.999, eps = 1e-8) {
  init(θ) = { m = zeros_like(θ), v = zeros_like(θ), n = 0 }
  step(θ, s, g, lr = 1e-3) {
    n     = s.n + 1
    m     = b1 * settled(s.m) + (1.0 - b1) * g
    v     = b2 * settled(s.v) + (1.0 - b2) * g * g
    most  = 2.0 / (1.0 - b2) - 1.0
    ρ     = most - 2.0 * f32(n) * b2^n / (1.0 - b2^n)
    know  = maximum(ρ, 5.0)
    rect  = sqrt((know - 4.0) * (know - 2.0) * most / ((most - 4.0) * (most - 2.0) * know))
    scale = if ρ > 5.0 then rect * sqrt(1.0 - b2^n) / (sqrt(v) + eps) else 1.0
    (θ - lr * m / (1.0 - b1^n) * scale, { m = m, v = v, n = n })
  }
}

## Lion (Chen et al., 2023, algorithm 2): the sign of an interpolation of momentum and gradient, with decoupled weight decay. θ and g: records of f32
## of the same shapes; lr: f32.
module Lion(b1 = 0.9, b2 = 0.99, decay = 0.0) {
  init(θ)                  = { m = zeros_like(θ) }
  step(θ, s, g, lr = 1e-4) =
    (θ - lr * (sign(b1 * s.m + (1.0 - b1) * g) + decay * θ), { m = b2 * s.m + (1.0 - b2) * g })
}

## The Euclidean norm of all tensors of a record together, f32 (Pascanu et al., 2013, algorithm 1).
fn global_norm(g) = sqrt(sum(list(sum(leaves(g)[k] * leaves(g)[k]) for k in 0..len(leaves(g)))))

## g, shortened to this length where it is longer (Pascanu et al., 2013, algorithm 1), as in PyTorch. g: a record of f32 of any shapes, as the result;
## in the gradient's unit.
fn clip_by_global_norm(g, largest) = shortened(g, largest / (global_norm(g) + 1e-6))
## g times the factor, where that is less than 1 (Pascanu et al., 2013, algorithm 1). g: a record of f32 of any shapes; the factor: f32.
fn shortened(g, factor) = g * minimum(factor, 1.0)

## g, every element of it within [-largest, largest] (Mikolov, 2012, section 3.2.2). g: a record of f32 of any shapes, as the result; in the gradient's
## unit.
fn clip_by_value(g, largest) = clip(g, -largest, largest)

# Schedules: a value at `done`, the part of the run that lies behind, 0 to 1 (a learning rate: linear(3e-4, 0.0, i / iterations)).

## The same value always: a schedule that is none, this library's own. All f32.
fn constant(value, done) = value + 0.0 * done

## From the first value to the last in a straight line; the last one from done = 1 on (Mnih et al., 2015: its ε). All f32.
fn linear(first, last, done) = first + (last - first) * clip(done, 0.0, 1.0)

## From the first value to the last along half a cosine (Loshchilov and Hutter, 2017, equation 5). All f32.
fn cosine(first, last, done) = last +
  0.5 * (first - last) * (1.0 + cos(3.141592653589793 * clip(done, 0.0, 1.0)))

## A schedule's value, scaled up from 0 over the first steps (Goyal et al., 2017, section 2.2): warm_up(value, step, steps). value: f32; step, steps: i32.
fn warm_up(value, step, steps) = value * minimum(f32(step + 1) / f32(steps), 1.0)

## A target network's next weights: the old ones, moved by τ towards θ (Lillicrap et al., 2016, algorithm 1). Records of f32 of the same shapes; τ:
## f32, 0 to 1.
fn polyak(target, θ, τ) = (1.0 - τ) * target + τ * θ
