# Losses of one sample; a program takes the mean over its batch.

## PPO's clipped surrogate (Schulman et al., 2017, equation 7), to be minimized. `log_ratio` is log π(a|s) - log π_old(a|s). All f32, as the result.
fn clipped_surrogate(log_ratio, advantage, clip_coef) =
  maximum(-advantage * exp(log_ratio),
    -advantage * clip(exp(log_ratio), 1.0 - clip_coef, 1.0 + clip_coef))

## Half the squared error of a value v that may move by at most clip_coef from what it was (the PPO of OpenAI's baselines, 2017): L = max((v -
## target)^2, (w - target)^2) / 2 with w = old + clip(v - old, -clip_coef, clip_coef). All f32, as the result.
fn clipped_value(v, old, target, clip_coef) =
  0.5 * maximum((v - target)^2, (old + clip(v - old, -clip_coef, clip_coef) - target)^2)

## Half the square near 0, linear beyond δ (Huber, 1964): L = x^2 / 2 where |x| <= δ, else δ (|x| - δ / 2). x: f32, any shape; the result's is the
## same.
fn huber(x, δ = 1.0) = select(abs(x) <= δ, 0.5 * x * x, δ * (abs(x) - 0.5 * δ))

## DQN's target (Mnih et al., 2015, algorithm 1): q_next are the target network's values at the next state, f32[actions].
fn q_target(r, q_next, terminated, γ) = r + (if terminated then 0.0 else γ * max(q_next, axis = -1))

## Double DQN's (van Hasselt et al., 2016, equation 4): the online network's values `online`, f32[actions], choose the action.
fn double_q_target(r, q_next, online, terminated, γ) =
  r + (if terminated then 0.0 else γ * take_last(q_next, argmax(online, axis = -1)))

## The n values from lo to hi on which a categorical value distribution stands (Bellemare et al., 2017, section 4.1): f32[n]. An error: lo >= hi, the
## least value not less than the largest.
fn atoms(lo, hi, n) = linspace(lo, hi,
  require(n, lo < hi, "the least value is less than the largest"))

## C51's projection (Bellemare et al., 2017, algorithm 1): the distribution `p` over the atoms `z`, f32[n], discounted, shifted by r, and spread over
## the neighbouring atoms: f32[n].
fn project(p, z, r, terminated, γ) =
  spread(p, z, clip(r + (if terminated then 0.0 else γ) * z, min(z), max(z)), z[1] - z[0])
## The mass p of atoms that were moved, spread over those two of `z`, `width` apart, between which each came to lie (Bellemare et al.,
## 2017, equation 7): f32[n].
fn spread(p, z, moved, width) =
  sum(p * clip(1.0 - abs(expand_dims(z, 1) - expand_dims(moved, 0)) / width, 0.0, 1.0), axis = 1)

## The cross-entropy of a target distribution and logits, f32[n] each: C51's loss (Bellemare et al., 2017, section 4.2).
fn cross_entropy(target, logits) = -sum(target * log_softmax(logits))

## The Kullback-Leibler divergence of the distribution of these logits from a target distribution, f32[n] each; its gradient is cross_entropy's
## (Hessel et al., 2018, equation 3).
fn divergence(target, logits) = cross_entropy(target, logits) + sum(xlogy(target, target))

## The divergence of a distribution over the atoms `z`, by its logits `x`, from what its target says of it: that of the next state, by its logits `next`, discounted
## by `weight`, γ^n or 0 at an end, and shifted by the n rewards `R` (Hessel et al., 2018, equation 3). x, next, z: f32[n]; R, weight, the result: f32.
fn distributional_error(x, next, z, R, weight) =
  divergence(detach(project(softmax(next), z, R, false, weight)), x)

## QR-DQN's quantile Huber loss (Dabney et al., 2018, equation 10) of quantiles, f32[n], for target samples, f32[m].
fn quantile_huber(quantiles, targets, κ = 1.0) =
  quantile_loss(expand_dims(targets, 0) - expand_dims(quantiles, 1), midpoints(len(quantiles)), κ)
## The middles of n equal parts of [0, 1] (Dabney et al., 2018, lemma 2): f32[n, 1].
fn midpoints(n) = expand_dims((arange(n) + 0.5) / n, 1)
## The Huber losses of the errors u, f32[n, m], weighted by the quantiles τ, f32[n, 1] (Dabney et al., 2018, equation 10): their mean over m,
## summed.
fn quantile_loss(u, τ,
  κ) = sum(mean(abs(τ - select(u < 0.0, 1.0, 0.0)) * huber(u, κ) / κ, axis = 1))
