# In scope in every program: distributions, and functions that are composed of built-in ones.
#
# A distribution is a module with a method `sample`; `x ~ D(...)` calls it and cuts gradients. `rsample`, where it exists, is a draw that
# gradients pass through: `x ~ reparam(D(...))`. The base draws (`standard_normal` and so on) have the shape of what is drawn.

## The uniform distribution on [low, high) (Johnson, Kotz and Balakrishnan, 1995, chapter 26). An error where high < low. low, high: f32, of one shape
## or broadcast, as a draw.
module Uniform(low = 0.0, high = 1.0) {
  rsample()   = low + width() * standard_uniform(low, high)
  width()     = require(high - low, all(low <= high), "low is at most high")
  sample()    = rsample()
  log_prob(x) = if x >= low and x < high then -log(high - low) else -inf
  entropy()   = log(width())
  mean()      = 0.5 * (low + high)
  mode()      = low
  variance()  = (high - low)^2 / 12.0
}

## The normal distribution with this mean and standard deviation, element by element (Johnson, Kotz and Balakrishnan, 1994, chapter 13). Drawn by
## Box and Muller's formula (1958). A negative deviation is an error; with 0 it draws loc.
module Normal(loc = 0.0, scale = 1.0) {
  rsample()   = loc + spread() * standard_normal(loc, scale)
  spread()    = require(scale, all(scale >= 0.0), "scale is not negative",
    "of any number, `exp(x)` and `softplus(x)` make a deviation")
  sample()    = rsample()
  log_prob(x) = -0.5 * ((x - loc) / scale)^2 - log(spread()) - 0.9189385332046727
  entropy()   = 1.4189385332046727 + log(spread()) + 0.0 * loc
  mean()      = loc + 0.0 * scale
  mode()      = loc + 0.0 * scale
  variance()  = scale^2 + 0.0 * loc
  kl(other)   = log(other.scale / scale) + (scale^2 + (loc - other.loc)^2) / (2.0 * other.scale^2) -
    0.5
}

## The classes 0, 1, ..., by their unnormalized log-probabilities, f32[..., n], or by probabilities, `p = [0.2, 0.8]`; only those are drawn for which
## `mask`, bool[..., n], holds (Huang and Ontañón, 2022): at least one, where one is drawn. An error: probabilities p that do not sum to 1, to 1e-4,
## or are negative; a mask that holds nowhere, where a class is drawn; the probability of what is no class.
module Categorical(logits = [], mask = true, p = []) {
  scores()    = if len(logits) > 0 then logits else log(probabilities(p))
  legal()     = if mask then scores() else -inf
  possible(x) = require(x, some(mask), "at least one action is legal: the mask holds somewhere")
  sample()    = categorical(possible(legal()))
  log_prob(a) = take_last(log_softmax(legal()), a)
  probs()     = softmax(legal())
  entropy()   = -sum(plogp(softmax(legal()), log_softmax(legal())), axis = -1)
  mode()      = argmax(possible(legal()), axis = -1)
  kl(other)   = sum(difference(softmax(legal()), log_softmax(legal()), log_softmax(other.legal())),
    axis = -1)
  difference(p, logp, logq) = select(p > 0.0,
    p * (select(p > 0.0, logp, 0.0) - select(p > 0.0, logq, 0.0)), 0.0)
}

## Several discrete actions at once, i32[n]: each a choice of k, by logits f32[n, k] (Tavakoli, Pardo and Kormushev, 2018, the factored policy;
## Gymnasium's MultiDiscrete). Actions of fewer choices have a `mask`, bool[n, k].
module MultiDiscrete(logits, mask = true) {
  parts()     = Categorical(logits, mask)
  sample()    = parts().sample()
  log_prob(a) = sum(parts().log_prob(a), axis = -1)
  entropy()   = sum(parts().entropy(), axis = -1)
  mode()      = parts().mode()
  kl(other)   = sum(parts().kl(other.parts()), axis = -1)
}

## Elements drawn independently, as one vector: the log-probability is the elements' sum (PyTorch's Independent). Independent(Normal(loc, scale)).
module Independent(base) {
  sample()    = base.sample()
  rsample()   = base.rsample()
  log_prob(x) = sum(base.log_prob(x), axis = -1)
  entropy()   = sum(base.entropy(), axis = -1)
  mean()      = base.mean()
  mode()      = base.mode()
  kl(other)   = sum(base.kl(other.base), axis = -1)
}

## true with probability p, an error if that is outside of [0, 1], or with probability sigmoid(logits), `Bernoulli(logits = x)`, whose log_prob and
## entropy are exact where p rounds to 0 or 1 (Johnson, Kemp and Kotz, 2005, chapter 3). p, logits: f32, any shape; a draw: bool, of that shape.
module Bernoulli(p = 0.5, logits = []) {
  scored()    = len(shape(logits)) != 1 or elements(shape(logits), 0) > 0
  sample()    = standard_uniform(probs()) < probs()
  chance()    = require(p, all(p == clip(p, 0.0, 1.0)), "the probability p is in [0, 1]",
    "of any number, `Bernoulli(logits = x)` or `sigmoid(x)` makes a probability")
  log_prob(x) = if scored() then -softplus(if x then -logits else logits)
    else if x then log(chance())
    else log1p(-chance())
  probs()     = if scored() then sigmoid(logits) else chance()
  rest()      = if scored() then sigmoid(-logits) else 1.0 - chance()
  entropy()   = if scored() then -weighted(probs(), log_prob(true)) -
    weighted(rest(), log_prob(false))
    else -xlogy(p, p) - xlogy(1.0 - p, 1.0 - p)
  mean()      = probs()
  mode()      = probs() > 0.5
  variance()  = probs() * rest()
  kl(other)   = if scored() or other.scored() then
    weighted(probs(), log_prob(true) - other.log_prob(true)) +
    weighted(rest(), log_prob(false) - other.log_prob(false))
    else xlogy(p, p / other.p) + xlogy(1.0 - p, (1.0 - p) / (1.0 - other.p))
}

## The integers of low..high, all equally likely (Johnson, Kemp and Kotz, 2005, chapter 6).
module UniformInt(low: i32, high: i32) {
  sample()    = uniform_int(low, high)
  log_prob(x) = if x >= low and x < high then -log(f32(high - low)) else -inf
  entropy()   = log(f32(high - low))
  mean()      = 0.5 * f32(low + high - 1)
  mode()      = low
}

## The orders of 0..n, all equally likely: i32[n]; those of random keys, sorted (Knuth, 1998, section 5).
module Permutation(n: int) {
  sample() = permutation(n)
}

## The gamma distribution of this shape (concentration) and rate (Johnson, Kotz and Balakrishnan, 1994, chapter 17). Drawn by Marsaglia and
## Tsang's method (2000). Both are above 0, else it is an error; f32, any shape, as a draw, which is in the unit of
## 1 / rate.
module Gamma(concentration, rate = 1.0) {
  rsample()   = reparam_gamma(shaped()) / paced()
  sample()    = standard_gamma(shaped()) / paced()
  shaped()    = require(concentration, all(concentration > 0.0), "concentration is above 0",
    "of any number, `softplus(x)` makes one")
  paced()     = require(rate, all(rate > 0.0), "rate is above 0",
    "of any number, `softplus(x)` makes one")
  log_prob(x) = if x < 0.0 then -inf
    else concentration * log(paced()) +
    log_term(shaped() - 1.0, log(if x <= 0.0 then 1.0 else x), x <= 0.0) - rate * x -
    lgamma(concentration)
  entropy()   = concentration - log(rate) + lgamma(concentration) +
    (1.0 - concentration) * digamma(concentration)
  mean()      = concentration / rate
  mode()      = maximum(concentration - 1.0, 0.0) / rate
  variance()  = concentration / rate^2
}

## The beta distribution on (0, 1) (Johnson, Kotz and Balakrishnan, 1995, chapter 25); as a policy, of actions within bounds (Chou, Maturana and
## Scherer, 2017). a and b are above 0, else it is an error. a, b: f32, any shape, as a draw.
module Beta(a, b) {
  rsample()   = beta_of(reparam_gamma(first()), reparam_gamma(second()))
  sample()    = beta_of(standard_gamma(first()), standard_gamma(second()))
  first()     = require(a, all(a > 0.0), "a is above 0", "of any number, `softplus(x)` makes one")
  second()    = require(b, all(b > 0.0), "b is above 0", "of any number, `softplus(x)` makes one")
  log_prob(x) = if x < 0.0 or x > 1.0 then -inf
    else log_term(first() - 1.0, log(inner(x)), x <= 0.0) +
    log_term(second() - 1.0, log1p(-inner(x)), x >= 1.0) -
    log_beta(a, b)
  inner(x)    = if x <= 0.0 or x >= 1.0 then 0.5 else x
  entropy()   = log_beta(a, b) - (a - 1.0) * digamma(a) - (b - 1.0) * digamma(b) +
    (a + b - 2.0) * digamma(a + b)
  mean()      = a / (a + b)
  mode()      = if a > 1.0 and b > 1.0 then (a - 1.0) / (a + b - 2.0)
    else if a == b then 0.5
    else f32(a > b)
  variance()  = a * b / ((a + b)^2 * (a + b + 1.0))
  kl(other)   = log_beta(other.a, other.b) - log_beta(a, b) + (a - other.a) * digamma(a) +
    (b - other.b) * digamma(b) + (other.a - a + other.b - b) * digamma(a + b)
}

## tanh of a normal, element by element: actions within (-1, 1), as soft actor-critic draws them (Haarnoja et al., 2018, appendix C). Its entropy has
## no formula, and asking for it is an error; `kl` is that of the normals, because tanh is invertible. Where the normal's own draw is known, `u ~
## policy.normal`, the log-probability of tanh(u) is `policy.log_prob_tanh(u)`: `log_prob(tanh(u))` has only what rounding to f32 leaves of u.
module TanhNormal(loc = 0.0, scale = 1.0) {
  normal = Normal(loc, scale)
  rsample()        = tanh(normal.rsample())
  sample()         = rsample()
  log_prob_tanh(u) = normal.log_prob(u) - 2.0 * (0.6931471805599453 - u - softplus(-2.0 * u))
  log_prob(x)      = log_prob_tanh(inverse(x))
  entropy()        = require(0.0 * loc, false,
    "the distribution's entropy has a formula; that of TanhNormal has none",
    "where an algorithm weighs entropies, `ent_coef = 0.0` asks for none")
  mode()           = tanh(normal.mode())
  kl(other)        = normal.kl(other.normal)
  ## Next to 1 or -1 rounding leaves nothing of u: there it is the likeliest u, not a fixed one, which would lie many deviations off a narrow normal
  ## and let a policy take that for entropy.
  inverse(x) = if abs(x) < 0.999999 then atanh(clip(x, -0.999999, 0.999999)) else detach(
    sign(x) * maximum(7.25, sign(x) * loc))
}

## The exponential distribution (Johnson, Kotz and Balakrishnan, 1994, chapter 19). The rate is above 0, else it is an error. rate: f32, any shape, as
## a draw; a draw is in the unit of 1 / rate.
module Exponential(rate = 1.0) {
  rsample()   = -log1p(-standard_uniform(rate)) / paced()
  sample()    = rsample()
  paced()     = require(rate, all(rate > 0.0), "rate is above 0",
    "of any number, `softplus(x)` makes one")
  log_prob(x) = if x >= 0.0 then log(paced()) - rate * x else -inf
  entropy()   = 1.0 - log(rate)
  mean()      = 1.0 / rate
  mode()      = 0.0 * rate
}

## The Laplace distribution (Johnson, Kotz and Balakrishnan, 1995, chapter 24). A negative scale is an error; with 0 it draws loc. loc, scale: f32, any
## shape, as a draw.
module Laplace(loc = 0.0, scale = 1.0) {
  rsample()   = laplace_of(standard_uniform(loc, scale) - 0.5, loc, spread())
  sample()    = rsample()
  spread()    = require(scale, all(scale >= 0.0), "scale is not negative",
    "of any number, `exp(x)` and `softplus(x)` make one")
  log_prob(x) = -abs(x - loc) / scale - log(2.0 * spread())
  entropy()   = 1.0 + log(2.0 * scale) + 0.0 * loc
  mean()      = loc + 0.0 * scale
  mode()      = loc + 0.0 * scale
}

## One value for certain, as of a deterministic policy (Silver et al., 2014). Of any shape and type.
module Deterministic(value) {
  sample()  = value
  rsample() = value
  mean()    = value
  mode()    = value
}

## An action space of n choices (Gymnasium's).
module Discrete(n: int) {
  sample() = uniform_int(0, n)
}

## An action space of vectors between low and high (Gymnasium's): drawn uniformly; where one of the bounds is infinite, exponentially from the other;
## where both are, normally. low, high: f32 of one shape, as a draw.
module Box(low, high) {
  sample() = if all(low > -inf) and all(high < inf) then low +
    (high - low) * standard_uniform(low, high)
    else select(low > -inf,
      select(high < inf, low + (high - low) * standard_uniform(low, high),
        low - log1p(-standard_uniform(low, high))),
      select(high < inf, high + log1p(-standard_uniform(low, high)), standard_normal(low, high)))
}

## p itself, f32[..., n], if it holds probabilities along the last axis; else an error: they sum to 1, to 1e-4, and none is negative.
fn probabilities(p) = require(p, sum_to_one(sum(p, axis = -1)) and all(p >= 0.0),
  "probabilities sum to 1, and none is negative")
## Whether these sums are all 1, to 1e-4: bool.
fn sum_to_one(total) = all(total > 0.9999 and total < 1.0001)
## Whether the mask, bool[..., n], holds somewhere, in each of its vectors.
fn some(mask) = if len(shape(mask)) == 0 then mask else all(any(mask, axis = -1))
## c log(y), of the logarithm `logy`; where y is 0 its limit, 0 for c = 0, else infinite. All f32 but `zero`, bool.
fn log_term(c, logy, zero) =
  if not zero then c * logy else if c == 0.0 then 0.0 * c else if c > 0.0 then -inf else inf
## x log(y), 0 where x is 0: x and y >= 0. f32, any shape.
fn xlogy(x, y) = select(x > 0.0, x * log(select(x > 0.0, y, 1.0)), 0.0 * x)
## p times its logarithm `logp`, 0 where p is 0. f32, any shape.
fn plogp(p, logp) = select(p > 0.0, p * logp, 0.0 * p)
## p x, 0 where p is 0, whatever x is there. f32, any shape.
fn weighted(p, x) = select(p > 0.0, p * x, 0.0 * p)
## A standard gamma draw with a gradient by its shape, gamma_slope (Figurnov, Mohamed and Mnih, 2018, equation 4). a > 0: f32, any shape.
fn reparam_gamma(a) = moving(a, detach(standard_gamma(a)))
## The draw z, with the gradient by a that keeps its quantile. f32, any shape.
fn moving(a, z) = z + (a - detach(a)) * detach(gamma_slope(a, z))
## How a standard gamma draw z moves with its shape a while its quantile stays: -(dF/da)(z) / f(z) of its distribution function F and density f
## (Figurnov, Mohamed and Mnih, 2018, equation 4). a > 0, z >= 0: f32, any shape; to 1e-5 of itself up to a = 1000.
fn gamma_slope(a, z) = if a < 8.0 and log(positive(z)) < digamma(a + 1.0)
  then slope_by_series(a, positive(z))
  else slope_by_tail(a, positive(z), if z < a then -1.0 else 1.0)
## z, or the least normal number. f32, any shape.
fn positive(z) = maximum(z, 1.1754944e-38)
## gamma_slope of a draw in the lower half: by the power series of F, whose terms are all positive there (DLMF, 2010, equation 8.7.1). f32, any shape.
fn slope_by_series(a, z) {
  index n in 0..28
  gap          = digamma(a + 1.0) - log(z)
  term[0]      = ones_like(z)
  term[n+1]    = term * (z / (a + n + 1.0))
  inverse[0]   = zeros_like(z)
  inverse[n+1] = inverse + 1.0 / (a + n + 1.0)
  z / a * sum(term * (gap + inverse) for n)
}
## gamma_slope by the integral of (log t - digamma(a)) f(t) / f(z) over the tail beyond z (Figurnov, Mohamed and Mnih, 2018, equation 4), on the side
## of `side`, 1 or -1, with t = z exp(side s): by Gauss and Legendre's 16 points up to where f is about exp(-18) of what it is at z. f32, any shape.
fn slope_by_tail(a, z, side) {
  points  = [0.0052995325, 0.0277124885, 0.0671843988, 0.122297796, 0.191061878, 0.270991611,
    0.359198225, 0.452493745, 0.547506255, 0.640801775, 0.729008389, 0.808938122, 0.877702204,
    0.932815601, 0.972287512, 0.994700467]
  weights = [0.0135762297, 0.031126762, 0.0475792558, 0.0623144856, 0.0747979944, 0.0845782597,
    0.0913017075, 0.0947253052, 0.0947253052, 0.0913017075, 0.0845782597, 0.0747979944,
    0.0623144856, 0.0475792558, 0.031126762, 0.0135762297]
  index k in 0..16
  gap   = log(z) - digamma(a)
  width = tail_width(abs(z - a), a, z, side)
  s[k]  = points[k] * width
  width * z * sum(
    weights[k] * side * (gap + side * s) * exp(side * a * s - z * expm1(side * s)) for k)
}
## How far slope_by_tail integrates, with d the distance of z from a. f32, any shape.
fn tail_width(d, a, z, side) = minimum(36.0 / (d + sqrt(d * d + 18.0 * z)),
  if side > 0.0 then log1p((20.0 + 3.0 * a) / z) else inf)
## A draw from the beta distribution, of two gamma draws. f32, any shape.
fn beta_of(x, y) = x / (x + y)
## The logarithm of the beta function, a and b > 0. f32, any shape.
fn log_beta(a, b) = lgamma(a) + lgamma(b) - lgamma(a + b)
## A draw from the Laplace distribution around m with scale s, of a uniform u in (-1/2, 1/2). f32, any shape.
fn laplace_of(u, m, s) = m - s * sign(u) * log1p(-2.0 * abs(u))

## A sum tree: a priority >= 0 for each of `capacity` positions, 0 at first, from which positions are drawn in proportion to their priorities
## (Schaul et al., 2016, appendix B.2.1). A node is the sum of its `fanout` children, a power of two; 16 fill a cache line (Zhang et al., 2023).
## It is a value, as a number is: an update gives another tree, `tree[n+1] = tree.update(j, p)`, which takes the place of the one before it
## where that one is read no more. A draw and an update cost O(fanout log capacity). To a gradient, priorities are constants.
module SumTree(capacity: int, fanout = 16, nodes = zeros(sum_tree_size(capacity, fanout))) {
  ## A draw of a position, i32; at run time it is an error if all priorities are 0.
  sample() = find(standard_uniform())
  ## A draw of a position from the k-th of n parts of the same total priority, k in 0..n: a batch of one draw from each is spread over all
  ## priorities, and draws next to each other lie next to each other in the tree (Schaul et al., 2016, appendix B.2.1).
  stratum(k, n) = Stratum(SumTree(capacity, fanout, nodes), k, n)
  ## The position at which the running sum of the priorities exceeds this fraction of their total: f32 in [0, 1).
  find(fraction) = sum_tree_find(nodes, capacity, fanout, fraction)
  ## The tree with these priorities, f32 or f32[m], at these positions, i32 or i32[m]; of equal positions the last counts. A priority that is
  ## negative or NaN counts as 0.
  update(j, p) = SumTree(capacity, fanout, sum_tree_update(nodes, capacity, fanout, j, p))
  ## The same, where the positions are new: those of a ring.
  insert(j, p) = update(j, p)
  ## The priority of a position.
  priority(j) = nodes[0..capacity][j]
  ## The sum of all priorities.
  total() = nodes[sum_tree_size(capacity, fanout)-1]
  ## The logarithm of the probability that a position is drawn.
  log_prob(j) = log(priority(j) / total())
}

## The k-th of n parts of a SumTree, of the same total priority each (Schaul et al., 2016, appendix B.2.1): what SumTree.stratum draws from. k, n:
## i32.
module Stratum(tree, k, n) {
  ## A draw of a position, i32.
  sample() = tree.find(min((f32(k) + standard_uniform()) / f32(n), 0.99999994))
}

# Initial weights: distributions of matrices. A weight with more axes, f32[out, in, ...], counts as `out` rows; what lies behind the second
# axis (the window of a convolution) multiplies its fans.

## A random matrix with orthonormal rows (or columns, if there are fewer of these), times `gain` (Saxe et al., 2014). For a weight f32[m, ...], as a
## matrix of m rows.
module Orthogonal(gain = 1.0) {
  sample()         = gain * rows(target_shape())
  rows(shape)      = reshape(orthogonal(shape[0], elements(shape, 1)), shape)
  orthogonal(n, m) = if n <= m then gram_schmidt(drawn(n, m))
    else transpose(gram_schmidt(transpose(drawn(n, m))))
  drawn(n, m)      = reshape(standard_normal(), [n, m])
}

## The rows of `a` made orthonormal, one after the other (modified by a second pass, so that rounding does not accumulate).
fn gram_schmidt(a: f32[n, m]) {
  index row in 0..n
  once[row]  = a[row] - sum(dot(a[row], q[k]) * q[k] for k in 0..row)
  twice[row] = once - sum(dot(once, q[k]) * q[k] for k in 0..row)
  q[row]     = twice / norm(twice)
  q[0..n]
}

## Normal weights of standard deviation gain * sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010, equation 12). For a weight f32[m, n, ...], fan_in
## = n * ..., fan_out = m * ....
module Glorot(gain = 1.0) {
  sample() = gain * sqrt(2.0 / (fan_in(target_shape()) + fan_out(target_shape()))) *
    standard_normal()
}

## Uniform weights within gain * sqrt(6 / (fan_in + fan_out)) of 0 (Glorot and Bengio, 2010, equation 16). For a weight f32[m, n, ...], as Glorot.
module GlorotUniform(gain = 1.0) {
  sample() = gain * sqrt(6.0 / (fan_in(target_shape()) + fan_out(target_shape()))) *
    (2.0 * standard_uniform() - 1.0)
}

## Normal weights of standard deviation gain * sqrt(2 / fan_in), for relu (He et al., 2015, equation 10). For a weight f32[m, n, ...], fan_in = n *
## ....
module He(gain = 1.0) {
  sample() = gain * sqrt(2.0 / fan_in(target_shape())) * standard_normal()
}

## Uniform weights within gain * sqrt(6 / fan_in) of 0, for relu (He et al., 2015, equation 10). For a weight f32[m, n, ...], as He.
module HeUniform(gain = 1.0) {
  sample() = gain * sqrt(6.0 / fan_in(target_shape())) * (2.0 * standard_uniform() - 1.0)
}

## Uniform weights within gain / sqrt(fan_in) of 0 (Lillicrap et al., 2016, section 7); `inputs` is the fan-in, if it is not that of the shape. For a weight f32
## of any shape.
module FanIn(gain = 1.0, inputs = 0) {
  sample() = if gain == 0.0 then zeros(target_shape())
    else gain / sqrt(fan()) * (2.0 * standard_uniform() - 1.0)
  fan()    = if inputs > 0 then inputs else fan_in(target_shape())
}

## How many elements the axes of a static shape from `axis` on have: int.
fn elements(shape, axis) = if axis == len(shape) then 1 else shape[axis] * elements(shape, axis + 1)
## How many inputs one output of a weight of this shape, [out, in, ...], reads: int.
fn fan_in(shape) = elements(shape, 1)
## How many outputs one input of a weight of this shape, [out, in, ...], goes to: int.
fn fan_out(shape) = if len(shape) == 1 then shape[0] else shape[0] * elements(shape, 2)

## x^2, element by element.
fn square(x) = x * x
## The logarithm to base 2, element by element.
fn log2(x) = log(x) / 0.6931471805599453
## The logarithm to base 10, element by element.
fn log10(x) = log(x) / 2.302585092994046
## 2^x, element by element.
fn exp2(x) = exp(x * 0.6931471805599453)
## The inverse of sinh, element by element.
fn asinh(x) = sign(x) * log(abs(x) + sqrt(x * x + 1.0))
## The inverse of cosh for x >= 1, element by element; below, NaN.
fn acosh(x) = log(x + sqrt(x * x - 1.0))
## The inverse of tanh for x in (-1, 1), element by element.
fn atanh(x) = 0.5 * (log1p(x) - log1p(-x))
## x sigmoid(x), element by element (Elfwing, Uchibe and Doya, 2018).
fn silu(x) = x * sigmoid(x)
## x times the normal distribution function of x, element by element (Hendrycks and Gimpel, 2016).
fn gelu(x) = 0.5 * x * (1.0 + erf(x * 0.7071067811865476))
## x where it is positive, else alpha (exp(x) - 1), element by element (Clevert, Unterthiner and Hochreiter, 2016).
fn elu(x, alpha = 1.0) = select(x > 0.0, x, alpha * expm1(minimum(x, 0.0)))
## x where it is positive, else slope x, element by element (Maas, Hannun and Ng, 2013).
fn leaky_relu(x, slope = 0.01) = select(x > 0.0, x, slope * x)
## The length of the hypotenuse, sqrt(a^2 + b^2), element by element.
fn hypot(a, b) = sqrt(a * a + b * b)
## The outer product of vectors: f32[n] and f32[m] give f32[n, m].
fn outer(a, b) = expand_dims(a, -1) * expand_dims(b, 0)
## The sum of the diagonal of a square matrix. x: f32[n, n]; the result: f32.
fn trace(x) = sum(x * eye(len(x)))
## The Kullback-Leibler divergence of q from p, distributions of the same family. In nats: f32, of the shape that a log_prob has.
fn kl(p, q) = p.kl(q)
## A distribution's entropy, in nats. f32, of the shape that a log_prob has.
fn entropy(d) = d.entropy()
## x itself; as an activation, none. Of any shape and type.
fn identity(x) = x
