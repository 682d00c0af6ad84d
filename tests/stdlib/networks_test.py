#!/usr/bin/env python3
"""Networks and initial weights: values and gradients against their formulas in f64, from the weights that the program drew.

A gradient is compared with central differences of the reference, so it checks both."""

import copy
import math
import random

from testing import agree, literal, main, rounded

rng = random.Random(2)
sigmoid = lambda x: 1 / (1 + math.exp(-x))
add = lambda *v: [sum(parts) for parts in zip(*v)]
times = lambda a, b: [x * y for x, y in zip(a, b)]
each = lambda f, v: [f(x) for x in v]
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
product = lambda W, x: [dot(row, x) for row in W]
dense = lambda w, x: add(product(w["W"], x), w["c"])
gate = lambda w, x, h: add(product(w["W"], x), product(w["U"], h), w["c"])
numbers = lambda *shape: [numbers(*shape[1:]) for _ in range(shape[0])] if shape else rng.gauss(0, 1)


def mlp(w, x, activation):
    for k, layer in enumerate(w["layers"]):
        x = dense(layer, x if k == 0 else each(activation, x))
    return x


def leaves(w, path=()):
    if isinstance(w, dict):
        return [leaf for k, v in w.items() for leaf in leaves(v, path + (k,))]
    if isinstance(w, list) and w and not isinstance(w[0], (int, float)):
        return [leaf for k, v in enumerate(w) for leaf in leaves(v, path + (k,))]
    return [path + (k,) for k in range(len(w))] if isinstance(w, list) else [path]


def shifted(w, path, by):
    w = copy.deepcopy(w)
    at = w
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] += by
    return w


def at(w, path):
    for step in path:
        w = w[step]
    return w


def check(runner, use, made, inputs, call, reference, loss_of=None, declarations=""):
    """`call` is y of the program's `w` and inputs; the reference gives the same from the printed weights. The loss is sum(y^2)."""
    program = f"use std.nn.{use}\n{declarations}\nnet = {made}\nw ~ net.init()\n"
    program += "".join(f"{name} = {literal(rounded(value))}\n" for name, value in inputs.items())
    program += f"y = {call}\nL = {loss_of or 'sum(y * y)'}\n"
    program += 'print "w", w\nprint "y", y\nprint "g", grad(L, w)\n'
    got = runner.output(program)
    w, y, g = got["w"][0], got["y"] if len(got["y"]) > 1 else got["y"][0], got["g"][0]
    given = {k: rounded(v) for k, v in inputs.items()}
    agree(y, reference(w, **given), 1e-5, use)

    def loss(weights):
        flat = reference(weights, **given)
        total = lambda v: sum(map(total, v)) if isinstance(v, list) else v * v
        return total(flat)

    paths = leaves(w)
    for path in paths if len(paths) < 40 else random.Random(4).sample(paths, 40):
        slope = (loss(shifted(w, path, 1e-5)) - loss(shifted(w, path, -1e-5))) / 2e-5
        agree(at(g, path), slope, 2e-4, f"{use}'s gradient at {path}")


def dense_and_mlp(runner):
    check(runner, "Dense", "Dense(3, 2)", {"x": numbers(3)}, "net(w, x)", lambda w, x: dense(w, x))
    check(runner, "Mlp", "Mlp(3, [5, 4], 2)", {"x": numbers(3)}, "net(w, x)", lambda w, x: mlp(w, x, math.tanh))
    check(runner, "Mlp", "Mlp(3, [4], 2, relu, initializer = He)", {"x": numbers(3)}, "net(w, x)",
          lambda w, x: mlp(w, x, lambda v: max(v, 0.0)))


def convolution(runner):
    for rows, columns, size, stride, padding in ((5, 4, 3, 1, 0), (6, 5, 3, 2, 1), (4, 4, 1, 1, 0), (7, 6, 2, 3, 2)):

        def reference(w, x):
            n, m = len(w["W"][0]), len(w["W"])
            inside = lambda k, i, j: x[k][i][j] if 0 <= i < rows and 0 <= j < columns else 0.0
            return [
                [
                    [
                        w["c"][o] + sum(
                            w["W"][o][k][u][v] * inside(k, stride * i + u - padding, stride * j + v - padding)
                            for k in range(n) for u in range(size) for v in range(size)
                        )
                        for j in range((columns + 2 * padding - size) // stride + 1)
                    ]
                    for i in range((rows + 2 * padding - size) // stride + 1)
                ]
                for o in range(m)
            ]

        check(runner, "Conv2d", f"Conv2d(2, 3, {size}, stride = {stride}, padding = {padding})",
              {"x": numbers(2, rows, columns)}, "net(w, x)", reference)


def norms(runner):
    def layer_norm(w, x):
        mean = sum(x) / len(x)
        var = sum((v - mean) ** 2 for v in x) / len(x)
        return add(times(w["scale"], [(v - mean) / math.sqrt(var + 1e-5) for v in x]), w["shift"])

    def rms_norm(w, x):
        return times(w["scale"], [v / math.sqrt(dot(x, x) / len(x) + 1e-6) for v in x])

    check(runner, "LayerNorm", "LayerNorm(5)", {"x": numbers(5)}, "net(w, x)", layer_norm)
    check(runner, "RMSNorm", "RMSNorm(5)", {"x": numbers(5)}, "net(w, x)", rms_norm)


def embedding(runner):
    check(runner, "Embedding", "Embedding(6, 3)", {}, "net(w, 4)", lambda w: w["W"][4])
    outcome = runner.outcome("use std.nn.Embedding\nindex t in 0..9\nnet = Embedding(6, 3)\nw ~ net.init()\nprint net(w, (t * t * t) % 7)\n")
    if outcome.status not in (1, 3):
        raise AssertionError("a symbol that is not there is no error")


def recurrent(runner):
    def gru(w, x):
        h, seen = [0.0] * 3, []
        for v in x:
            z, r = each(sigmoid, gate(w["update"], v, h)), each(sigmoid, gate(w["reset"], v, h))
            new = each(math.tanh, add(dense(w["candidate"], v), times(r, dense(w["memory"], h))))
            h = [(1 - k) * a + k * b for k, a, b in zip(z, new, h)]
            seen.append(h)
        return seen

    def lstm(w, x):
        h, c, seen = [0.0] * 3, [0.0] * 3, []
        for v in x:
            i, f, o = (each(sigmoid, gate(w[k], v, h)) for k in ("input", "forget", "output"))
            c = add(times(f, c), times(i, each(math.tanh, gate(w["cell"], v, h))))
            h = times(o, each(math.tanh, c))
            seen.append(h)
        return seen

    inputs = {"x": numbers(4, 2)}
    steps = "index t in 0..4\nh[0] = net.initial()\nh[t+1] = net(w, x[t], h)\n"
    check(runner, "GRU", "GRU(2, 3)", inputs, "h[t+1]", gru, "sum(dot(y, y) for t)", steps)
    check(runner, "LSTM", "LSTM(2, 3)", inputs, "h[t+1].h", lstm, "sum(dot(y, y) for t)", steps)


def attention(runner):
    def attend(w, x, heads, window, first):
        n = len(x[0])
        d = n // heads
        q, k, v = ([dense(w["parts"][part], row) for row in x] for part in ("queries", "keys", "values"))
        seen = []
        for t in range(len(x)):
            past = range(max(first[t], t + 1 - window), t + 1)
            joined = []
            for h in range(heads):
                part = slice(h * d, h * d + d)
                scores = [math.exp(dot(q[t][part], k[s][part]) / math.sqrt(d)) for s in past]
                joined += add(*([a / sum(scores) * b for b in v[s][part]] for a, s in zip(scores, past)))
            seen.append(dense(w["parts"]["joined"], joined))
        return seen

    inputs, over_t = {"rows": numbers(6, 4)}, "index t in 0..6\nx[t] = rows[t]"
    for made, call, window, first in (
        ("CausalAttention(4, 2)", "net(w, x)", 6, [0] * 6),
        ("CausalAttention(4, 1, window = 3)", "net(w, x)", 3, [0] * 6),
        ("CausalAttention(4, 2)", "net(w, x, first = t // 4 * 4)", 6, [0, 0, 0, 0, 4, 4]),
    ):
        heads = 1 if ", 1," in made else 2
        check(runner, "CausalAttention", made, inputs, call,
              lambda w, rows: attend(w, rows, heads, window, first), "sum(dot(y, y) for t)", over_t)


def composition(runner):
    relu = lambda v: max(v, 0.0)
    check(runner, "{Residual, Mlp}", "Residual(Mlp(3, [4], 3))", {"x": numbers(3)}, "net(w, x)",
          lambda w, x: add(x, mlp(w["block"], x, math.tanh)))
    check(runner, "{Sequential, Dense, Activation}", "Sequential([Dense(3, 4), Activation(relu), Dense(4, 2)])",
          {"x": numbers(3)}, "net(w, x)",
          lambda w, x: dense(w["layers"][2], each(relu, dense(w["layers"][0], x))))

    def dueling(w, x):
        value, advantage = mlp(w["value"], x, relu)[0], mlp(w["advantage"], x, relu)
        return [value + a - sum(advantage) / len(advantage) for a in advantage]

    check(runner, "Dueling", "Dueling(3, 4, [5])", {"x": numbers(3)}, "net(w, x)", dueling)

    def dueling_atoms(w, x):
        """Atom by atom a dueling head: logits of action a and atom z at 3 a + z."""
        value, advantage = mlp(w["value"], x, relu), mlp(w["advantage"], x, relu)
        mean = [sum(advantage[3 * a + z] for a in range(4)) / 4 for z in range(3)]
        return [value[z] + advantage[3 * a + z] - mean[z] for a in range(4) for z in range(3)]

    check(runner, "DuelingAtoms", "DuelingAtoms(2, 4, 3, [5])", {"x": numbers(2)}, "net(w, x)", dueling_atoms)


def initial_weights(runner):
    """Standard deviations and bounds from the fans; rows or columns orthogonal."""
    got = runner.output("""
use std.nn.{Conv2d, Dense}
module Of(distribution) {
  weight wide: f32[40, 60] ~ distribution
  weight tall: f32[60, 40] ~ distribution
  weight window: f32[20, 10, 3, 3] ~ distribution
  weight line: f32[64] ~ distribution
}
a ~ Of(Glorot(2.0)).init()
b ~ Of(GlorotUniform()).init()
c ~ Of(He()).init()
d ~ Of(HeUniform(0.5)).init()
q ~ Of(Orthogonal(1.5)).init()
f ~ Of(FanIn(2.0)).init()
l ~ Dense(60, 1500, bias = 3.0).init()
z ~ Dense(60, 400).init()
v ~ Conv2d(4, 1500, 3, bias = 2.0).init()
rows = reshape(q.window, [20, 90])
print "deviations", [std(a.wide), std(a.window), std(b.tall), std(b.window), std(c.wide), std(c.tall), std(c.window), std(d.window), std(f.wide), std(f.window), std(l.c)]
print "bounds", [max(abs(b.wide)), max(abs(b.window)), max(abs(d.wide)), max(abs(f.wide)), max(abs(f.window)), max(abs(l.c)), max(abs(z.c)), max(abs(v.c))]
print "orthogonal", [max(abs(q.wide @ transpose(q.wide) - 2.25 * eye(40))), max(abs(transpose(q.tall) @ q.tall - 2.25 * eye(40))), max(abs(rows @ transpose(rows) - 2.25 * eye(20))), abs(norm(q.line) - 1.5)]
""")
    deviation = lambda gain, fans: gain * math.sqrt(fans)
    agree(
        [g / w for g, w in zip(got["deviations"][0], [
            deviation(2, 2 / 100), deviation(2, 2 / 270), deviation(1, 2 / 100), deviation(1, 2 / 270),
            deviation(1, 2 / 60), deviation(1, 2 / 40), deviation(1, 2 / 90), deviation(0.5, 2 / 90),
            deviation(2, 1 / 180), deviation(2, 1 / 270), deviation(3, 1 / 180),
        ])],
        [1.0] * 11, 0.06, "deviations of the initial weights")
    agree(got["bounds"][0], [math.sqrt(6 / 100), math.sqrt(6 / 270), 0.5 * math.sqrt(6 / 60), 2 / math.sqrt(60), 2 / math.sqrt(90), 3 / math.sqrt(60), 0.0, 2 / math.sqrt(36)], 0.002, "bounds of the initial weights")
    agree(got["orthogonal"][0], [0.0] * 4, 1e-5, "orthogonal weights")


if __name__ == "__main__":
    main([dense_and_mlp, convolution, norms, embedding, recurrent, attention, composition, initial_weights])
