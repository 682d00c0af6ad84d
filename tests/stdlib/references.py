#!/usr/bin/env python3
"""Writes this folder's programs: the standard library's results beside values that NumPy computes from the published formulas.

Run it by hand after adding a case (it needs numpy), and `rlc fmt` after that; the programs are kept, so that their tests need nothing. With --check it
writes nothing and says which programs, but for their layout, are not what it would write.
"""
import argparse
import itertools
import math
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    print("there is no numpy")
    sys.exit(77)  # skipped

FOLDER = pathlib.Path(__file__).parent
PROGRAMS = {}


def text(value):
    if isinstance(value, np.ndarray) and value.ndim:
        return "[" + ", ".join(text(v) for v in value) + "]"
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    return repr(float(value))


def lines(label, value, **indices):
    """The lines that `print "label", e` prints where e varies over the leading axes of value: indices = name=count."""
    value = np.asarray(value)
    for point in itertools.product(*(range(n) for n in indices.values())):
        at = ", ".join(f"{name}={k}" for name, k in zip(indices, point))
        yield f"{label}[{at}] = {text(value[point])}" if at else f"{label} = {text(value)}"


def program(name, what, source, *expected, tolerance="1e-4"):
    expects = "".join(f"# expect: {line}\n" for group in expected for line in group)
    PROGRAMS[name] = f"# {what}\n# tolerance: {tolerance}\n{expects}\n{source.strip()}\n"


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def digamma(x):
    return (math.lgamma(x + 1e-5) - math.lgamma(x - 1e-5)) / 2e-5


# Distributions
logits, mask = np.array([0.5, -1.0, 2.0, 0.0]), np.array([True, True, False, True])
other = np.array([0.0, 1.0, 3.0, -1.0])
p = softmax(np.where(mask, logits, -np.inf))
q = softmax(np.where(mask, other, -np.inf))
some = p[mask], q[mask]
weights = np.array([1.0, 2.0, 3.0, 4.0])
# The gradient of sum(w * p) is p * (w - sum(w * p)).
program("categorical_mask", "A mask takes actions out: probabilities, entropy, divergence and gradients of the others.", """
param n = 400
index k in 0..n
x  = [0.5, -1.0, 2.0, 0.0]
d  = Categorical(x, [true, true, false, true])
e  = Categorical([0.0, 1.0, 3.0, -1.0], [true, true, false, true])
a[k] ~ Categorical([0.5, -1.0, 20.0, 0.0], [true, true, false, true])
weighed = sum(d.probs() * [1.0, 2.0, 3.0, 4.0])
h  = d.entropy()
apart = d.kl(e)
lp = d.log_prob(3)
print "probs", d.probs(); print "log_prob", lp; print "entropy", h; print "kl", apart; print "mode", d.mode()
print "legal", all(a != 2 for k)
print "gradient", grad(weighed, x)
print "gradient of the entropy", grad(h, x)
print "gradient of the divergence", grad(apart, x)
print "gradient of the log-probability", grad(lp, x)
""", lines("probs", p), lines("log_prob", np.log(p[3])), lines("entropy", -(some[0] * np.log(some[0])).sum()),
        lines("kl", (some[0] * np.log(some[0] / some[1])).sum()), ["mode = 0", "legal = true"],
        lines("gradient", p * (weights - (weights * p).sum())),
        lines("gradient of the entropy", np.where(mask, -p * (np.log(np.where(mask, p, 1)) - (some[0] * np.log(some[0])).sum()), 0)),
        lines("gradient of the divergence", np.where(mask, p * (np.log(np.where(mask, p / np.where(mask, q, 1), 1)) - (some[0] * np.log(some[0] / some[1])).sum()), 0)),
        lines("gradient of the log-probability", np.array([0, 0, 0, 1.0]) - p))

several = np.array([[0.5, -1.0, 2.0], [1.0, 0.0, 5.0]])
legal = np.array([[True, True, True], [True, True, False]])
P = softmax(np.where(legal, several, -np.inf))
L = np.log(np.where(legal, P, 1))
others = softmax(np.where(legal, np.array([[0.0, 1.0, -1.0], [2.0, 0.5, 7.0]]), -np.inf))
apart = np.where(legal, P * np.log(np.where(legal, P, 1) / np.where(legal, others, 1)), 0).sum()
program("multi_discrete", "Several discrete actions: the sums over independent categoricals.", """
index k in 0..300
d = MultiDiscrete([[0.5, -1.0, 2.0], [1.0, 0.0, 5.0]], [[true, true, true], [true, true, false]])
a[k] ~ d
print "log_prob", d.log_prob([2, 1]); print "entropy", d.entropy(); print "mode", d.mode()
print "legal", all(a[..][1] < 2 and a[..][0] < 3 for k)
print "kl", d.kl(MultiDiscrete([[0.0, 1.0, -1.0], [2.0, 0.5, 7.0]], [[true, true, true], [true, true, false]]))
print "kl to itself", d.kl(d)
""", lines("log_prob", L[0, 2] + L[1, 1]), lines("entropy", -(P * L).sum()), ["mode = [2, 0]", "legal = true"], lines("kl", apart), ["kl to itself = 0.0"])

m1, s1, m2, s2, at = np.array([0.5, -1.0]), np.array([2.0, 0.5]), np.array([0.0, -2.0]), np.array([1.0, 1.5]), np.array([0.25, 0.75])
logp = -0.5 * ((at - m1) / s1) ** 2 - np.log(s1) - 0.5 * np.log(2 * np.pi)
kl = np.log(s2 / s1) + (s1**2 + (m1 - m2) ** 2) / (2 * s2**2) - 0.5
pre = np.arctanh(at)
program("normals", "Normal, Independent and TanhNormal.", """
d = Normal([0.5, -1.0], [2.0, 0.5])
e = Normal([0.0, -2.0], [1.0, 1.5])
f = TanhNormal([0.5, -1.0], [2.0, 0.5])
x = [0.25, 0.75]
print "log_prob", d.log_prob(x); print "entropy", d.entropy(); print "kl", d.kl(e)
print "joint", Independent(d).log_prob(x); print "joint entropy", Independent(d).entropy(); print "joint kl", Independent(d).kl(Independent(e))
print "tanh", f.log_prob(x); print "tanh kl", f.kl(TanhNormal([0.0, -2.0], [1.0, 1.5]))
index k in 0..2000
y[k] ~ reparam(Independent(Normal([0.5, -1.0], [2.0, 0.5])))
print "near", abs(mean(y[..][0] for k) - 0.5) < 0.15 and abs(mean(y[..][1] for k) + 1.0) < 0.04
""", lines("log_prob", logp), lines("entropy", 0.5 * np.log(2 * np.pi * np.e) + np.log(s1)), lines("kl", kl), lines("joint", logp.sum()),
        lines("joint entropy", (0.5 * np.log(2 * np.pi * np.e) + np.log(s1)).sum()), lines("joint kl", kl.sum()),
        lines("tanh", -0.5 * ((pre - m1) / s1) ** 2 - np.log(s1) - 0.5 * np.log(2 * np.pi) - np.log(1 - at**2)), lines("tanh kl", kl),
        ["near = true"])

program("tanh_normal_saturated", "Where tanh rounds to 1, a narrow normal's log-probability is still that of its draw, and no cliff that a policy could take for entropy.", """
m = 10.0
g = TanhNormal(m, 0.01)
rounded = g.log_prob(1.0)
print "of the draw", g.log_prob_tanh(10.005)
print "rounded", rounded; print "its gradient", grad(rounded, m)
print "at the other end", TanhNormal(-12.0, 0.01).log_prob(-1.0)
""", lines("of the draw", -0.125 - np.log(0.01) - 0.5 * np.log(2 * np.pi) - np.log(1 - np.tanh(10.005) ** 2)),
        lines("rounded", -np.log(0.01) - 0.5 * np.log(2 * np.pi) + 20 - 2 * np.log(2)), ["its gradient = 0.0"],
        lines("at the other end", -np.log(0.01) - 0.5 * np.log(2 * np.pi) + 24 - 2 * np.log(2)))


def log_beta(a, b):
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def log_beta_density(x, a, b):
    return (a - 1) * math.log(x) + (b - 1) * math.log(1 - x) - log_beta(a, b)


def log_gamma_density(x, a, rate=1.0):
    return a * math.log(rate) + (a - 1) * math.log(x) - rate * x - math.lgamma(a)


def slope(f, x):
    return (f(x + 1e-5) - f(x - 1e-5)) / 2e-5


a, b, c, d = 2.0, 3.5, 1.5, 2.0
inside = [0.4 + 0.01 * (0.5 + 0.1 * t) for t in range(3)]
inf = math.inf
program("beta_bernoulli", "Beta, Gamma and Bernoulli.", """
d = Beta(2.0, 3.5)
print "log_prob", d.log_prob(0.3); print "entropy", d.entropy(); print "kl", d.kl(Beta(1.5, 2.0))
print "at the ends", [d.log_prob(0.0), d.log_prob(1.0), Beta(1.0, 1.0).log_prob(1.0), Beta(0.5, 0.5).log_prob(0.0), d.log_prob(1.5)]
print "modes", [d.mode(), Beta(0.5, 2.0).mode(), Beta(2.0, 0.5).mode(), Beta(0.5, 0.5).mode()]
print "gamma", [Gamma(1.0).log_prob(0.0), Gamma(2.0).log_prob(0.0), Gamma(2.0).log_prob(-1.0), Gamma(0.5).log_prob(0.0)]
print "vectors", [Independent(Beta([2.0, 3.0], [2.0, 2.0])).log_prob([0.1, 0.4]), sum(Gamma([1.0, 1.0]).log_prob([0.5, 1.0]))]
print "not a number", [d.log_prob(0.0 / 0.0), Gamma(2.0).log_prob(0.0 / 0.0)]
# To a policy's parameters, at values inside the support.
param k = 2.0
c = k + 0.0
a = k + 0.5
index t in 0..3
x[t] = 0.4 + 0.01 * (0.5 + 0.1 * t)
print "slopes", [grad(mean(Gamma(c, 1.5).log_prob(x) for t), c), grad(mean(Beta(a, c).log_prob(x) for t), a), grad(mean(Beta(a, c).log_prob(x) for t), c)]
e = Bernoulli(0.3)
print "bernoulli", e.log_prob(true); print "its entropy", e.entropy(); print "its kl", e.kl(Bernoulli(0.6))
""", lines("log_prob", log_beta_density(0.3, a, b)),
        lines("entropy", log_beta(a, b) - (a - 1) * digamma(a) - (b - 1) * digamma(b) + (a + b - 2) * digamma(a + b)),
        lines("kl", log_beta(c, d) - log_beta(a, b) + (a - c) * digamma(a) + (b - d) * digamma(b) + (c - a + d - b) * digamma(a + b)),
        # x^(a - 1) (1 - x)^(b - 1) at 0 and 1 is 0, 1 or infinite; outside of the support there is nothing.
        lines("at the ends", np.array([-inf, -inf, 0.0, inf, -inf])),
        # (a - 1) / (a + b - 2); the ends where one exponent is negative; of two modes, their middle.
        lines("modes", np.array([(a - 1) / (a + b - 2), 0.0, 1.0, 0.5])),
        lines("gamma", np.array([0.0, -inf, -inf, inf])),
        lines("vectors", np.array([log_beta_density(0.1, 2, 2) + log_beta_density(0.4, 3, 2), log_gamma_density(0.5, 1) + log_gamma_density(1, 1)])),
        lines("not a number", np.array([math.nan, math.nan])),
        lines("slopes", np.array([slope(lambda v: np.mean([log_gamma_density(x, v, 1.5) for x in inside]), 2.0),
                                  slope(lambda v: np.mean([log_beta_density(x, v, 2.0) for x in inside]), 2.5),
                                  slope(lambda v: np.mean([log_beta_density(x, 2.5, v) for x in inside]), 2.0)])),
        lines("bernoulli", np.log(0.3)), lines("its entropy", -0.3 * np.log(0.3) - 0.7 * np.log(0.7)),
        lines("its kl", 0.3 * np.log(0.3 / 0.6) + 0.7 * np.log(0.7 / 0.4)))


# Optimizers on f(x) = sum(c * x^2) / 2 from x = (1, -2), whose gradient is c * x.
def descend(step, n=6):
    x, c, state, points = np.array([1.0, -2.0]), np.array([1.0, 3.0]), {}, []
    for k in range(n):
        points.append(x)
        x = step(x, c * x, state, k + 1)
    return np.array(points + [x])


def sgd(nesterov):
    def step(x, g, s, k):
        s["v"] = 0.9 * s.get("v", 0) + g
        return x - 0.05 * (g + 0.9 * s["v"] if nesterov else s["v"])
    return step


def rmsprop(inside, centered=False):
    def step(x, g, s, k):
        s["v"] = 0.9 * s.get("v", 1.0 if inside else 0.0) + 0.1 * g * g
        s["m"] = 0.9 * s.get("m", 0.0) + 0.1 * g
        u = s["v"] - s["m"] ** 2 if centered else s["v"]
        return x - 0.05 * (g / np.sqrt(u + 1e-3) if inside else g / (np.sqrt(u) + 1e-3))
    return step


def adam(decay=0.0, rectified=False):
    def step(x, g, s, k):
        x = x * (1 - 0.05 * decay)
        s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
        s["v"] = 0.99 * s.get("v", 0) + 0.01 * g * g
        m, v = s["m"] / (1 - 0.9**k), s["v"] / (1 - 0.99**k)
        if not rectified:
            return x - 0.05 * m / (np.sqrt(v) + 1e-8)
        most = 2 / (1 - 0.99) - 1
        rho = most - 2 * k * 0.99**k / (1 - 0.99**k)
        if rho <= 5:
            return x - 0.05 * m
        rect = math.sqrt((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho))
        return x - 0.05 * m * rect * math.sqrt(1 - 0.99**k) / (np.sqrt(s["v"]) + 1e-8)
    return step


def lion(x, g, s, k):
    m = s.get("m", np.zeros(2))
    s["m"] = 0.99 * m + 0.01 * g
    return x - 0.05 * (np.sign(0.9 * m + 0.1 * g) + 0.1 * x)


OPTIMIZERS = {
    "sgd_momentum": ("SGD(momentum = 0.9)", sgd(False)), "sgd_nesterov": ("SGD(momentum = 0.9, nesterov = true)", sgd(True)),
    "rmsprop_outside": ("RMSProp(decay = 0.9, eps = 1e-3)", rmsprop(False)),
    "rmsprop_inside": ("RMSProp(decay = 0.9, eps = 1e-3, inside = true)", rmsprop(True)),
    "rmsprop_centered": ("RMSProp(decay = 0.9, eps = 1e-3, inside = true, centered = true)", rmsprop(True, True)),
    "adam": ("Adam(b2 = 0.99)", adam()), "adamw": ("AdamW(b2 = 0.99, decay = 0.1)", adam(0.1)),
    "radam": ("RAdam(b2 = 0.99)", adam(rectified=True)), "lion": ("Lion(decay = 0.1)", lion),
}
for name, (made, step) in OPTIMIZERS.items():
    count = 10 if name == "radam" else 6
    program("optimizer_" + name, f"{made} on a quadratic.", f"""
use std.optim.{made.split("(")[0]}
index i in 0..{count}

x[0]       = {{ w = 1.0, c = [-2.0] }}
s[0]       = {made}.init(x[0])
loss       = 0.5 * (x.w^2 + 3.0 * sum(x.c^2))
(x[i+1], s[i+1]) = {made}.step(x, s, grad(loss, x), lr = 0.05)
w[i in 0..={count}] = [x.w, x.c[..][0]]
print w
""", lines("w", descend(step, count), i=count + 1))

g = np.array([3.0, -4.0, 12.0])
program("clipping_and_schedules", "Clipping, schedules, averages of weights.", """
use std.optim.{clip_by_global_norm, clip_by_value, global_norm, linear, cosine, warm_up, constant, polyak}
g = { a = [3.0, -4.0], b = 12.0 }
print "norm", global_norm(g)
print "short", clip_by_global_norm(g, 1.3).a
print "short enough", clip_by_global_norm(g, 20.0).b
print "value", clip_by_value(g, 3.5).a
print "linear", linear(1.0, 0.2, 0.25); print "cosine", cosine(1.0, 0.2, 0.25); print "constant", constant(0.3, 0.5)
print "warm", warm_up(0.8, 1, 4); print "hot", warm_up(0.8, 9, 4)
print "average", polyak(g, { a = [0.0, 0.0], b = 2.0 }, 0.1).b
""", lines("norm", 13.0), lines("short", g[:2] * 0.1), lines("short enough", 12.0), lines("value", np.array([3.0, -3.5])), lines("linear", 0.8),
        lines("cosine", 0.2 + 0.4 * (1 + math.cos(math.pi * 0.25))), lines("constant", 0.3), lines("warm", 0.4), lines("hot", 0.8),
        lines("average", 11.0))

# Returns, step by step as their papers define them.
T = 6
r, v = np.array([1.0, -0.5, 2.0, 0.0, 1.5, 3.0]), np.array([0.5, 1.0, -1.0, 2.0, 0.0, 1.0, 2.5])
done = np.array([False, False, True, False, False, False])
ratio, greedy, qsa = np.array([0.5, 2.0, 1.0, 1.5, 0.8, 3.0]), np.array([True, False, True, True, True, False]), np.array([0.3, 0.8, 0.0, 1.0, 2.0, -1.0])
gamma, lam = 0.9, 0.8
stops = [min(k for k in range(t, T) if done[k] or k == T - 1) for t in range(T)]  # the last step of t's episode


def n_step(t, n):
    last = min(stops[t], t + n - 1)
    total = sum(gamma ** (k - t) * r[k] for k in range(t, last + 1))
    return total + (0 if done[last] else gamma ** (last + 1 - t) * v[last + 1])


def td_lambda(t):  # the weighted mean of the n-step returns
    h = stops[t] - t + 1
    return (1 - lam) * sum(lam ** (n - 1) * n_step(t, n) for n in range(1, h)) + lam ** (h - 1) * n_step(t, h)


delta = [r[t] + (0 if done[t] else gamma * v[t + 1]) - v[t] for t in range(T)]
gae = [sum((gamma * lam) ** (k - t) * delta[k] for k in range(t, stops[t] + 1)) for t in range(T)]
clipped = np.minimum(ratio, 1.0)
trace = [v[t] + sum(gamma ** (k - t) * np.prod(lam * clipped[t:k]) * clipped[k] * delta[k] for k in range(t, stops[t] + 1)) for t in range(T)]
tq = [r[t] + (0 if done[t] else gamma * v[t + 1]) - qsa[t] for t in range(T)]
retrace = [qsa[t] + sum(gamma ** (k - t) * np.prod(lam * clipped[t + 1:k + 1]) * tq[k] for k in range(t, stops[t] + 1)) for t in range(T)]


def q_lambda(t):
    end = next((k - 1 for k in range(t + 1, stops[t] + 1) if not greedy[k]), stops[t])  # up to the first action that was not greedy
    h = end - t + 1
    return (1 - lam) * sum(lam ** (n - 1) * n_step(t, n) for n in range(1, h)) + lam ** (h - 1) * n_step(t, h)


brought = [sum(gamma ** k * r[k] for k in range(min(d, 2) + 1)) for d in range(T)]  # done at 2
mc = [sum(gamma ** (k - t) * r[k] for k in range(t, stops[t] + 1)) for t in range(T)]
program("returns", "Returns and advantages, from their definitions as sums.", """
use std.returns.{monte_carlo, n_step, td_lambda, gae, v_trace, retrace, q_lambda, bootstrapped, replayed_return}
index t in 0..6
r      = [1.0, -0.5, 2.0, 0.0, 1.5, 3.0][t]
v[t in 0..=6] = [0.5, 1.0, -1.0, 2.0, 0.0, 1.0, 2.5][t]
done   = t == 2
ratio  = [0.5, 2.0, 1.0, 1.5, 0.8, 3.0][t]
q      = [0.3, 0.8, 0.0, 1.0, 2.0, -1.0][t]
greedy = t != 1 and t != 5
print "mc", monte_carlo(r, done, 0.9)
print "one", n_step(r, v, done, 0.9, 1)
print "three", n_step(r, v, done, 0.9, 3)
print "td", td_lambda(r, v, done, 0.9, 0.8)
print "gae", gae(r, v, done, 0.9, 0.8)
print "trace", v_trace(r, v, done, ratio, 0.9, 0.8)
print "retrace", retrace(r, q, v, done, ratio, 0.9, 0.8)
print "q", q_lambda(r, v, greedy, done, 0.9, 0.8)
path   = replayed_return(r, done, 0.9, d = t)
print "brought", path.R
print "steps", path.steps
print "boot", bootstrapped(1.0, 10.0, false, true, 0.9); print "end", bootstrapped(1.0, 10.0, true, true, 0.9)
""", lines("mc", mc, t=T), lines("one", [n_step(t, 1) for t in range(T)], t=T), lines("three", [n_step(t, 3) for t in range(T)], t=T),
        lines("td", [td_lambda(t) for t in range(T)], t=T), lines("gae", gae, t=T), lines("trace", trace, t=T),
        lines("retrace", retrace, t=T), lines("q", [q_lambda(t) for t in range(T)], t=T), lines("brought", brought, t=T), [f"steps[t={d}] = {min(d, 2) + 1}" for d in range(T)],
        ["boot = 10.0", "end = 1.0"])

# Losses
z, pz = np.linspace(-2.0, 2.0, 5), np.array([0.1, 0.2, 0.3, 0.25, 0.15])
projected = np.zeros(5)
for k in range(5):  # algorithm 1 of the C51 paper
    b_ = (np.clip(0.7 + 0.9 * z[k], -2.0, 2.0) + 2.0) / 1.0
    lo, hi = math.floor(b_), math.ceil(b_)
    projected[lo] += pz[k] * (hi - b_ if hi > lo else 1.0)
    projected[hi] += pz[k] * (b_ - lo)
ended = np.zeros(5)
ended[2], ended[3] = 0.3, 0.7
quantiles, samples = np.array([-1.0, 0.5, 2.0]), np.array([0.0, 3.0])
loss = 0.0
for i in range(3):
    for s in samples:
        u = s - quantiles[i]
        hub = 0.5 * u * u if abs(u) <= 1 else abs(u) - 0.5
        loss += abs((i + 0.5) / 3 - (u < 0)) * hub / 2
scores = np.array([0.0, 1.0, 2.0, 0.5, -1.0])
certain = np.array([0.0, 1.0, 0.0, 0.0, 0.0])


def divergence(p, q):
    return sum(a * math.log(a / b) for a, b in zip(p, q) if a > 0)


def projection(p, shift, factor):
    """The mass of each atom, spread over the two between which it comes to lie (Bellemare et al., 2017, algorithm 1)."""
    out = np.zeros(5)
    for mass, atom in zip(p, z):
        at = np.clip(shift + factor * atom, -2.0, 2.0) + 2.0
        lo = min(int(at), 3)
        out[lo] += mass * (lo + 1 - at)
        out[lo + 1] += mass * (at - lo)
    return out


program("losses", "Losses from their papers' formulas.", """
use std.losses.{clipped_surrogate, clipped_value, huber, q_target, double_q_target, atoms, project, cross_entropy, divergence, distributional_error, quantile_huber}
print "up", clipped_surrogate(0.5, 2.0, 0.2); print "down", clipped_surrogate(0.5, -2.0, 0.2)
print "value", clipped_value(2.0, 1.0, 1.5, 0.2)
print "near", huber(0.5); print "far", huber(-3.0); print "wide", huber(-3.0, 2.0)
print "q", q_target(1.0, [1.0, 3.0], false, 0.9); print "last", q_target(1.0, [1.0, 3.0], true, 0.9)
print "double", double_q_target(1.0, [1.0, 3.0], [5.0, 2.0], false, 0.9)
z = atoms(-2.0, 2.0, 5)
p = [0.1, 0.2, 0.3, 0.25, 0.15]
print "projected", project(p, z, 0.7, false, 0.9); print "ended", project(p, z, 0.7, true, 0.9)
print "entropy", cross_entropy(p, [0.0, 1.0, 2.0, 0.5, -1.0])
print "divergence", divergence(p, [0.0, 1.0, 2.0, 0.5, -1.0]); print "of one atom", divergence([0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.5, -1.0])
x = [0.0, 1.0, 2.0, 0.5, -1.0]
print "its gradient", grad(divergence(p, x), x)
print "error", distributional_error(x, [1.0, 0.5, 0.0, -0.5, 0.25], z, 0.7, 0.81); print "error at an end", distributional_error(x, [1.0, 0.5, 0.0, -0.5, 0.25], z, 0.7, 0.0)
print "quantiles", quantile_huber([-1.0, 0.5, 2.0], [0.0, 3.0])
""", lines("up", -2 * 1.2), lines("down", 2 * math.exp(0.5)), lines("value", 0.5 * max(0.25, 0.09)), lines("near", 0.125), lines("far", 2.5),
        lines("wide", 4.0), lines("q", 3.7), lines("last", 1.0), lines("double", 1.9), lines("projected", projected), lines("ended", ended),
        lines("entropy", -(pz * np.log(softmax(scores))).sum()),
        lines("divergence", divergence(pz, softmax(scores))), lines("of one atom", divergence(certain, softmax(scores))),
        lines("its gradient", softmax(scores) - pz),
        lines("error", divergence(projection(softmax(np.array([1.0, 0.5, 0.0, -0.5, 0.25])), 0.7, 0.81), softmax(scores))),
        lines("error at an end", divergence(projection(np.array([0, 0, 1.0, 0, 0]), 0.7, 0.0), softmax(scores))), lines("quantiles", loss))


def words(source):
    """All but the layout: `rlc fmt` breaks lines and takes semicolons for line ends."""
    return "".join(source.replace(";", "").split())


parser = argparse.ArgumentParser()
parser.add_argument("--check", action="store_true")
parser.add_argument("--rlc", help="not needed")
check = parser.parse_args().check
different = []
for name, source in PROGRAMS.items():
    path = FOLDER / f"{name}.rl"
    if not check:
        path.write_text(source, encoding="utf-8")
    elif words(path.read_text(encoding="utf-8")) != words(source):
        different.append(f"{path} is not what {pathlib.Path(__file__).name} writes")
print("\n".join(different) or f"{len(PROGRAMS)} programs")
sys.exit(1 if different else 0)
