#!/usr/bin/env python3
"""Draws have their distributions, are independent, and are the same bits wherever they are made.

    draws.py --rlc build/release/rlc

Seeds are fixed, so a failure is a change of the streams or a fault, never bad luck.
"""

import argparse
import json
import math
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support import rlc

COUNT = 5000
# Kolmogorov's statistic times sqrt(n), and chi-square's distance from its mean in standard deviations, are above these
# once in a thousand and in ten thousand times.
KOLMOGOROV_LIMIT, CHI_SQUARE_LIMIT = 1.95, 4.5


def normal_cdf(mean, deviation):
    return lambda x: 0.5 * (1 + math.erf((x - mean) / deviation / math.sqrt(2)))


def gamma_cdf(shape):
    """By Simpson's rule, for a shape above 1."""
    def cdf(x):
        steps = 400
        f = lambda t: t ** (shape - 1) * math.exp(-t)
        total = f(0.0) + f(x) + sum((4 if k % 2 else 2) * f(x * k / steps) for k in range(1, steps))
        return total * x / steps / 3 / math.gamma(shape)
    return cdf


CONTINUOUS = {
    "Normal(1.0, 0.5)": normal_cdf(1.0, 0.5),
    "Uniform(-1.0, 3.0)": lambda x: (x + 1) / 4,
    "Beta(2.0, 3.0)": lambda x: 6 * x**2 - 8 * x**3 + 3 * x**4,
    "Gamma(2.5, 1.0)": gamma_cdf(2.5),
    "Gamma(0.5, 1.0)": lambda x: math.erf(math.sqrt(max(x, 0.0))),
    "TanhNormal(0.3, 0.4)": lambda x: normal_cdf(0.3, 0.4)(math.atanh(max(-0.9999999, min(0.9999999, x)))),
}
SOFTMAX = [math.exp(v) / sum(map(math.exp, (0.0, 1.0, -1.0))) for v in (0.0, 1.0, -1.0)]
DISCRETE = {
    "UniformInt(-3, 4)": {k: 1 / 7 for k in range(-3, 4)},
    "Categorical(logits = [0.0, 1.0, -1.0])": dict(enumerate(SOFTMAX)),
    "Bernoulli(0.3)": {0: 0.7, 1: 0.3},
    "Permutation(3)": {p: 1 / 6 for p in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))},
}
EVERYWHERE = """
param B = 7
param T = 5
index b in 0..B
index t in 0..T
u[b, t] ~ Uniform(0.0, 1.0)
n[b, t] ~ Normal(0.0, 1.0)
i[b, t] ~ UniformInt(-5, 100)
c[b, t] ~ Categorical(logits = [0.0, 0.5, -0.5, 1.0])
g[b, t] ~ Gamma(0.7, 1.0)
p[b] ~ Permutation(6)
v[t] ~ Normal([0.0, 1.0, 2.0], 0.5)
w[b, 0] = 0.0
w[b, t+1] = w + n
y[b, t] ~ Normal(w, 0.1)
print u; print n; print i; print c; print g; print p; print v
"""


class Draws:
    def __init__(self, options):
        self.options = options
        self.failures = []

    def run(self, program, device, *args):
        with tempfile.NamedTemporaryFile("w", suffix=".rl", encoding="utf-8") as file:
            file.write(program)
            file.flush()
            outcome = rlc.run([self.options.rlc, "run", file.name, "--device", device, "--json", *args], self.options.timeout)
        if outcome.status != 0:
            raise RuntimeError(f"status {outcome.status}: {outcome.stderr[:500]}")
        return outcome.lines()

    def values(self, program, *args):
        result = {}
        for line in self.run(program, self.options.device, "--seed", "11", *args):
            entry = json.loads(line)
            result.setdefault(entry["print"], []).append(entry["value"])
        return result

    def expect(self, holds, message):
        if not holds:
            self.failures.append(message)

    def continuous(self, distribution, cdf):
        x = sorted(self.values(f"index k in 0..{COUNT}\nx[k] ~ {distribution}\nprint x\n")["x"])
        self.expect(len(x) == COUNT, f"{distribution}: {len(x)} draws")
        distance = max(max((k + 1) / COUNT - cdf(v), cdf(v) - k / COUNT) for k, v in enumerate(x))
        self.expect(distance * math.sqrt(COUNT) < KOLMOGOROV_LIMIT, f"{distribution}: Kolmogorov distance {distance:.4f}")

    def discrete(self, distribution, probabilities):
        x = self.values(f"index k in 0..{COUNT}\nx[k] ~ {distribution}\nprint x\n")["x"]
        counts = Counter(tuple(v) if isinstance(v, list) else int(v) for v in x)
        self.expect(set(counts) == set(probabilities), f"{distribution}: values {sorted(counts)}")
        square = sum((counts[v] - COUNT * p) ** 2 / (COUNT * p) for v, p in probabilities.items())
        freedom = len(probabilities) - 1
        self.expect((square - freedom) / math.sqrt(2 * freedom) < CHI_SQUARE_LIMIT, f"{distribution}: chi-square {square:.1f}")

    def correlation(self, x, y):
        mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
        covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
        return covariance / math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))

    def independence(self):
        rows, columns = 60, 60
        program = f"index b in 0..{rows}\nindex t in 0..{columns}\nx[b, t] ~ Normal(0.0, 1.0)\ny[b, t] ~ Normal(0.0, 1.0)\n" \
                  "v[b, t] ~ Uniform([0.0, 0.0], 1.0)\nprint x; print y; print v\n"
        drawn = self.values(program)
        x, y = drawn["x"], drawn["y"]
        first, second = [v[0] for v in drawn["v"]], [v[1] for v in drawn["v"]]
        pairs = {
            "neighbours along the inner index": (x[:-1], x[1:]),
            "neighbours along the outer index": (x[:-columns], x[columns:]),
            "two draws at a point": (x, y),
            "two elements of a draw": (first, second),
            "squares of neighbours": ([a * a for a in x[:-1]], [a * a for a in x[1:]]),
        }
        for name, (a, b) in pairs.items():
            found = self.correlation(a, b)
            self.expect(abs(found) * math.sqrt(len(a)) < 4, f"{name}: correlation {found:.4f}")
        self.expect(len(set(x)) > 0.99 * len(x), "draws repeat")

    def everywhere(self):
        """The same text from every device and any number of threads, and when ranges grow."""
        reference = self.run(EVERYWHERE, "interp", "--seed", "5")
        variants = [("interp", "--threads", "1"), (self.options.device,), (self.options.device, "--threads", "1"), (self.options.device, "--threads", "3")]
        for device, *args in variants:
            found = self.run(EVERYWHERE, device, "--seed", "5", *args)
            different = [(a, b) for a, b in zip(reference, found) if a != b]
            self.expect(len(found) == len(reference) and not different, f"{device} {' '.join(args)}: {different[:1]} differ from the interpreter's")
        for device in ("interp", self.options.device):
            grown = set(self.run(EVERYWHERE, device, "--seed", "5", "B=9", "T=11"))
            missing = [line for line in reference if line not in grown]
            self.expect(not missing, f"{device}: {missing[:1]} changes when ranges grow")
            other = self.run(EVERYWHERE, device, "--seed", "6")
            same = sum(a == b for a, b in zip(reference, other) if '"print":"n"' in a.replace(" ", ""))
            self.expect(same == 0, f"{device}: {same} normal draws are the same with another seed")


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--timeout", type=float, default=60.0)
    options = parser.parse_args(argv)
    options.rlc = str(Path(options.rlc).resolve())
    draws = Draws(options)
    tests = [lambda d=d, c=c: draws.continuous(d, c) for d, c in CONTINUOUS.items()]
    tests += [lambda d=d, p=p: draws.discrete(d, p) for d, p in DISCRETE.items()]
    tests += [draws.independence, draws.everywhere]
    for test in tests:
        try:
            test()
        except Exception as error:  # a run that fails is a failure, and the next is tried
            draws.failures.append(f"{type(error).__name__}: {error}")
    for failure in draws.failures:
        print(f"FAILED {failure}")
    print(f"{len(tests)} tests, {len(draws.failures)} failures")
    return 1 if draws.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
