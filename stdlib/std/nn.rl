# Neural networks. A module's weights are a record, nested by the names of its parts: `w ~ net.init()`, then `net(w, x)`. Everything is for one
# sample; a batch is an index. `initializer` is a distribution of matrices (Orthogonal, Glorot, GlorotUniform, He, HeUniform, FanIn), called with
# `gain`.

## y = W x + c (Rosenblatt, 1958). x: f32[n], the result: f32[m]. The biases c begin uniform within bias / sqrt(n) of 0.
module Dense(n: int, m: int, gain = sqrt(2.0), initializer = Orthogonal, bias = 0.0) {
  weight W: f32[m, n] ~ initializer(gain)
  weight c: f32[m]    ~ FanIn(bias, n)
  apply(x: f32[n]) -> f32[m] = W @ x + c
}

## Dense layers with an activation between them (Rumelhart, Hinton and Williams, 1986): y = W2 tanh(W1 x + c1) + c2 is Mlp(4, [64], 2, tanh). x:
## f32[n], the result: f32[m]. An error: hidden is no list of widths.
module Mlp(n: int, hidden, m: int, activation = tanh, gain = sqrt(2.0), last_gain = 1.0,
  initializer = Orthogonal, bias = 0.0) {
  sizes  = concat([n],
    require(hidden, len(shape(hidden)) == 1, "hidden is a list of widths: [64, 64]"), [m])
  depth  = len(sizes) - 1
  layers = list(
    Dense(sizes[k], sizes[k+1], if k + 1 < depth then gain else last_gain, initializer, bias)
    for k in 0..depth)
  apply(x: f32[n]) -> f32[m] = through(x, 0)
  through(x, k) = if k == depth - 1 then layers[k](x) else through(activation(layers[k](x)), k + 1)
}

## An Mlp that begins as PyTorch's layers do: weights and biases uniform within 1 / sqrt(fan_in) of 0 (Lillicrap et al., 2016, section 7). From f32[n]
## to f32[m].
fn uniform_mlp(n, hidden, m, activation = relu) =
  Mlp(n, hidden, m, activation, gain = 1.0, last_gain = 1.0, initializer = FanIn, bias = 1.0)

## Cross-correlation of an image with m windows of size x size (LeCun et al., 1989): y[o, i, j] = c[o] + the sum of W[o, k, u, v] x[k, stride i + u -
## padding, stride j + v - padding] over k, u and v. x: f32[n, rows, columns] with n channels; the result: f32[m, (rows + 2 padding - size) // stride
## + 1, (columns + 2 padding - size) // stride + 1]. Outside the image, `padding` pixels wide, is 0. The biases c begin uniform within bias / sqrt(n
## size^2) of 0. An error: a window that is larger than the image with its padding.
module Conv2d(n: int, m: int, size: int, stride = 1, padding = 0, gain = sqrt(2.0),
  initializer = Orthogonal, bias = 0.0) {
  weight W: f32[m, n, size, size] ~ initializer(gain)
  weight c: f32[m]                ~ FanIn(bias, n * size * size)
  apply(x: f32[n, rows, columns]) {
    index o in 0..m
    index i in 0..fits(rows)
    index j in 0..fits(columns)
    image      = padded(x, padding)
    y[o, i, j] = c[o] +
      sum(W[o, k, u, v] * image[k, stride*i+u, stride*j+v] for k in 0..n, u in 0..size,
        v in 0..size)
    y[0..m, 0..fits(rows), 0..fits(columns)]
  }
  fits(extent) = require((extent + 2 * padding - size) // stride + 1, extent + 2 * padding >= size,
    "the window fits into the image")
}

## An image, f32[n, rows, columns], with p rows and columns of zeros around it: f32[n, rows + 2 p, columns + 2 p].
fn padded(x: f32[n, rows, columns], p) =
  if p == 0 then x
  else concat(zeros([n, p, columns + 2 * p]),
    concat(zeros([n, rows, p]), x, zeros([n, rows, p]), axis = 2), zeros([n, p, columns + 2 * p]),
    axis = 1)

## Layer normalization (Ba, Kiros and Hinton, 2016, equation 3): mean 0 and variance 1 over the n elements, then a learned scale and shift. f32[n] to f32[n].
module LayerNorm(n: int, eps = 1e-5) {
  weight scale: f32[n] = 1.0
  weight shift: f32[n] = 0.0
  apply(x: f32[n]) -> f32[n] = scale * (x - mean(x)) / sqrt(var(x) + eps) + shift
}

## Division by the root of the mean square, then a learned scale (Zhang and Sennrich, 2019, equation 4). f32[n] to f32[n].
module RMSNorm(n: int, eps = 1e-6) {
  weight scale: f32[n] = 1.0
  apply(x: f32[n]) -> f32[n] = scale * x / sqrt(mean(x * x) + eps)
}

## A learned vector f32[m] for each of n symbols, i32 in 0..n (Bengio et al., 2003, section 2); another symbol is a run-time error.
module Embedding(n: int, m: int) {
  weight W: f32[n, m] ~ Normal(0.0, 1.0)
  apply(symbol: i32) -> f32[m] = W[symbol]
}

## Gated recurrent unit (Cho et al., 2014, equations 5 to 8; the reset gate after the product, as in cuDNN): h[t+1] = net(w, x, h), h[0] = net.initial().
## x: f32[n], h: f32[m], all of which are its features. `update_bias` is what the update gate starts from: log(T) keeps h for about T steps (Tallec and Ollivier, 2018).
module GRU(n: int, m: int, gain = 1.0, initializer = Orthogonal, update_bias = 0.0) {
  update    = Gate(n, m, update_bias, gain, initializer)
  reset     = Gate(n, m, 0.0, gain, initializer)
  candidate = Dense(n, m, gain, initializer)
  memory    = Dense(m, m, gain, initializer)
  initial()   = zeros([m])
  features(h) = h
  apply(x: f32[n], h: f32[m]) -> f32[m] = mix(sigmoid(update(x, h)),
    tanh(candidate(x) + sigmoid(reset(x, h)) * memory(h)), h)
  mix(z, new, old) = (1.0 - z) * new + z * old
}

## Long short-term memory (Hochreiter and Schmidhuber, 1997; Gers et al., 2000): s[t+1] = net(w, x, s), s[0] = net.initial(); its features, f32[m], are s.h.
## x: f32[n], s: { h: f32[m], c: f32[m] }. `forget_bias` is what the forget gate starts from.
module LSTM(n: int, m: int, gain = 1.0, initializer = Orthogonal, forget_bias = 1.0) {
  input  = Gate(n, m, 0.0, gain, initializer)
  forget = Gate(n, m, forget_bias, gain, initializer)
  output = Gate(n, m, 0.0, gain, initializer)
  cell   = Gate(n, m, 0.0, gain, initializer)
  initial()   = { h = zeros([m]), c = zeros([m]) }
  features(s) = s.h
  apply(x: f32[n], s) {
    c = sigmoid(forget(x, s.h)) * s.c + sigmoid(input(x, s.h)) * tanh(cell(x, s.h))
    { h = sigmoid(output(x, s.h)) * tanh(c), c = c }
  }
}

## What a gate of a recurrent cell sees, before its squashing (Gers et al., 2000): y = W x + U h + c. x: f32[n], h: f32[m], the result: f32[m].
module Gate(n: int, m: int, bias = 0.0, gain = 1.0, initializer = Orthogonal) {
  weight W: f32[m, n] ~ initializer(gain)
  weight U: f32[m, m] ~ initializer(gain)
  weight c: f32[m]    = bias
  apply(x: f32[n], h: f32[m]) -> f32[m] = W @ x + U @ h + c
}

## Causal multi-head attention (Vaswani et al., 2017, equation 1): position t attends to every position up to itself, or, with a `window`, to that many of the
## last ones, itself included (Child et al., 2019). x: f32[n] over t, the result: f32[n]; n is a multiple of `heads`. `net(w, x)` runs over the
## index t, `net(w, x, t = s)` over s. Positions before `first`, i32 (where the episode began, say), are not seen.
module CausalAttention(n: int, heads: int, window = 0, gain = 1.0, initializer = Orthogonal) {
  parts = AttentionHeads(n, heads, gain, initializer)
  apply(x: f32[n], first = -2147483648) over t -> f32[n] {
    query    = parts.query(x)
    key[t]   = parts.key(x)
    value[t] = parts.value(x)
    total    = logsumexp(parts.score(query, key[s], s >= first) for s in start(begin(t), t)..t+1)
    parts.join(
      sum(expand_dims(exp(parts.score(query, key[s], s >= first) - total), -1) * value[s]
        for s in start(begin(t), t)..t+1))
  }
  start(begins, now) = if window == 0 then begins else max(begins, now + 1 - window)
}

## The projections of multi-head attention (Vaswani et al., 2017, section 3.2.2): queries, keys and values, f32[heads, n / heads], and the one that
## joins the heads. An error: an n that is no multiple of heads.
module AttentionHeads(n: int, heads: int, gain = 1.0, initializer = Orthogonal) {
  queries = Dense(n, n, gain, initializer)
  keys    = Dense(n, n, gain, initializer)
  values  = Dense(n, n, gain, initializer)
  joined  = Dense(n, n, gain, initializer)
  size    = require(n // heads, n % heads == 0,
    "the size of the vectors of attention is a multiple of the number of heads")
  query(x) = reshape(queries(x), [heads, size])
  key(x)   = reshape(keys(x), [heads, size])
  value(x) = reshape(values(x), [heads, size])
  join(y)  = joined(reshape(y, [n]))
  ## How much a query attends to a key, before the softmax, head by head: f32[heads]; -inf where it is not `seen`.
  score(q, k, seen) = if seen then sum(q * k, axis = -1) / sqrt(f32(size)) else -inf
}

## x + block(x) (He et al., 2016, equation 1). `block` is a module from f32[n] to f32[n]: Residual(Mlp(64, [256], 64, relu)).
module Residual(block) {
  apply(x) = x + block(x)
}

## One module after the other (PyTorch's Sequential): Sequential([Dense(4, 64), Residual(Mlp(64, [64], 64)), Dense(64, 2)]). From the shape that the
## first takes, f32, to that which the last gives.
module Sequential(layers) {
  apply(x)      = through(x, 0)
  through(x, k) = if k == len(layers) then x else through(layers[k](x), k + 1)
}

## What a critic says of a state: the only element of y, f32[1]. An error: a critic that gives more of them.
fn scalar(y: f32[n]) -> f32 = require(y[0], len(y) == 1, "a critic gives one number, f32[1]")

## A function as a module, to stand in a Sequential, as PyTorch's ReLU is: Activation(relu). From f32, any shape, to the shape that the function gives.
module Activation(function) {
  apply(x) = function(x)
}

## A dueling head (Wang et al., 2016, equation 9): the state's value plus each action's advantage, less their mean. x: f32[n], the result: f32[actions].
module Dueling(n: int, actions: int, hidden = [], activation = relu, initializer = Orthogonal) {
  value     = Mlp(n, hidden, 1, activation, initializer = initializer)
  advantage = Mlp(n, hidden, actions, activation, initializer = initializer)
  apply(x: f32[n]) -> f32[actions] = value(x) + centered(advantage(x))
  centered(a) = a - mean(a)
}

## A dueling head of distributions (Hessel et al., 2018, section 3): Dueling for each of `atoms` values. x: f32[n], the result: logits,
## f32[actions * atoms].
module DuelingAtoms(n: int, actions: int, atoms: int, hidden = [], activation = relu,
  initializer = Orthogonal) {
  value     = Mlp(n, hidden, atoms, activation, initializer = initializer)
  advantage = Mlp(n, hidden, actions * atoms, activation, initializer = initializer)
  apply(x: f32[n]) = reshape(value(x) + centered(reshape(advantage(x), [actions, atoms])),
    [actions * atoms])
  centered(a)      = a - mean(a, axis = 0)
}
