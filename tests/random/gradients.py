#!/usr/bin/env python3
"""Checks the gradients of random programs, in f64, against central differences.

    gradients.py --rlc build/release/rlc --count 200 --seed 1

A program's loss is a scalar of params that stand in tensors of several indices: recurrences both ways, ranges that grow,
gathers, slices, reductions (max, min, logsumexp, softmax, ... included), conditions, records, functions. The program prints
the loss, its gradient at each param and, for one of them, the derivative of the gradient. The params are then changed from
outside, both ways, and the differences have to agree. A param whose differences at two distances disagree stands at a kink and
is left out; it is counted.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support import rlc

PARAMS = ("p", "q", "r")
STEP = 1e-5
TOLERANCE = 2e-5
INDICES = "index a in 0..3\nindex t in 0..5\n"


class Maker:
    """Lines of one program. Every tensor is f64 over (a, t), bounded, and depends on what stands before it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ["fn f(x: f64, y: f64) -> f64 { u = tanh(x - y); u * x + 0.3 * y }", "record R { u: f64, v: f64 }"]
        self.names = []

    def pick(self, items):
        return self.random.choice(items)

    def weight(self):
        return f"{self.random.uniform(-1.3, 1.3):.4f}"

    def term(self):
        """A number at (a, t)."""
        if not self.names or self.random.random() < 0.25:
            return f"{self.weight()} * {self.pick(PARAMS)} * ({self.weight()} + 0.21 * a - 0.13 * t)"
        x, y = self.pick(self.names), self.pick(self.names)
        return self.pick([
            f"{x}", f"{x}[a, 4 - t]", f"{x}[2 - a, t]", f"{x}[a, max(t - 1, 0)]", f"{x}[a, (t + 2) % 5]", f"{x}[t: j]", f"{x}[a: i]",
            f"({x} * {y})", f"f({x}, {y})", f"({x}) / (2.5 + tanh({y}))", f"(2.0 + {x}) ^ (1.5 + 0.3 * tanh({y}))",
            f"tanh({x})", f"sin({x})", f"cos({x})", f"sigmoid({x})", f"exp(0.5 * tanh({x}))", f"log(2.5 + tanh({x}))",
            f"sqrt(1.5 + tanh({x}))", f"erf({x})", f"abs({x})", f"relu({x})", f"clip({x}, -0.41, 0.37)", f"max({x}, {y})", f"min({x}, {y})",
            f"(if {x} > {y} then {x} else 0.5 * {y})", f"(if t < 2 then {x} else {y}[a, t - 2])",
            f"mean({x}[a, k] for k in 0..=t)", f"sum({x}[a, k] * {y} for k in t..5)", f"logsumexp({x}[k, t] for k in 0..3)",
            f"max({x}[a, k] for k in 0..=t)", f"min({x}[k, t] for k in 0..=a)", f"prod(tanh({x}[a, k]) for k in 0..=t)",
            f"var({x}[k, t] for k in 0..3)", f"sum({x}[a, k] for k in 0..5 if k % 2 == 0)",
            f"dot(softmax({x}[a, 0..5]), {y}[a, 0..5])", f"cumsum({x}[a, 0..5])[3]", f"sort({x}[a, 0..5])[2]",
            f"dot({x}[a, 0..t + 1], {y}[a, 0..t + 1])", f"norm([1.5, {x}, {y}])", f"([{x}, {y}] @ [{y}, 0.7])",
            f"concat([{x}[0..3, t], [{y}, 0.2]])[3]", f"stack([{x}, {y}])[1]",
        ])

    def sum(self):
        return " + ".join(f"{self.weight()} * {self.term()}" for _ in range(self.random.randint(1, 3)))

    def tensor(self):
        name = f"x{len(self.lines)}"
        form = self.random.randrange(6)
        if form == 0:
            self.lines += [f"{name}[a, t in 0..1] = tanh({self.sum()})", f"{name}[a, t in 1..5] = tanh(0.6 * {name}[a, t - 1] + {self.sum()})"]
        elif form == 1:
            self.lines.append(f"{name}[a, t] = if t == 4 then 0.5 * {self.term()} else tanh(0.7 * {name}[a, t + 1] * ({self.term()}) + {self.sum()})")
        elif form == 2:
            self.lines.append(f"{name}[a, t] = if t == 0 then 0.3 * {self.pick(PARAMS)} else tanh(mean({name}[a, k] for k in 0..t) + {self.sum()})")
        elif form == 3:
            record = f"y{len(self.lines)}"
            self.lines += [f"{record}[a, t] = R(u = tanh({self.sum()}), v = sin({self.sum()}))", f"{name}[a, t] = {record}.u - 0.5 * {record}.v"]
        else:
            self.lines.append(f"{name}[a, t] = tanh({self.sum()})")
        self.names.append(name)

    def text(self):
        header = INDICES + "".join(f"param {p}: f64 = {self.random.uniform(-1, 1):.6f}\n" for p in PARAMS)
        header += "i[a, t] = (a * a + 2 * t + 1) % 3\nj[a, t] = i32(clip(5.0 * u[a, t], 0.0, 4.0))\nu[a, t] ~ Uniform(0.0, 1.0)\n"
        for _ in range(self.random.randint(2, 5)):
            self.tensor()
        self.lines.append(f"L = sum(({self.weight()} + 0.1 * t) * {self.names[-1]} + 0.3 * {self.names[0]} ^ 2 for a, t)")
        self.lines.append(f"g = [{', '.join(f'grad(L, {p})' for p in PARAMS)}]")
        self.second = self.random.randrange(len(PARAMS))
        self.lines.append(f"d = grad(L, {PARAMS[self.second]})")
        self.lines.append(f"h = [{', '.join(f'grad(d, {p})' for p in PARAMS)}]")
        return header + "\n".join(self.lines) + "\nprint L\nprint g\nprint h\n"


def run(options, path, values):
    command = [options.rlc, "run", path, "--seed", "1", "--device", options.device, "--set", *(f"{k}={v!r}" for k, v in values.items())]
    if not values:
        command.pop()
    done = rlc.run(command, 120)
    if done.timed_out or done.status != 0:
        raise RuntimeError(done.timed_out or done.stderr[-600:])
    found = {}
    for line in done.stdout.splitlines():
        name, value = line.split(" = ")
        found[name] = [float(part) for part in value.strip("[]").split(",")]
    return found


def defaults(text):
    return {p: float(line.split("= ")[1]) for line in text.splitlines() for p in PARAMS if line.startswith(f"param {p}:")}


def differences(options, path, values, param, step):
    """Of the loss, and of its gradient."""
    up, down = (run(options, path, {param: values[param] + sign * step}) for sign in (1, -1))
    return (up["L"][0] - down["L"][0]) / (2 * step), [(a - b) / (2 * step) for a, b in zip(up["g"], down["g"])]


def check(options, path, text, second):
    """(failures, derivatives compared, left out at kinks)"""
    values, base = defaults(text), run(options, path, {})
    failures, compared, kinks = [], 0, 0
    for number, param in enumerate(PARAMS):
        near, far = (differences(options, path, values, param, step) for step in (STEP, 7 * STEP))
        # d2L / (d second d param), from the differences of the gradient at `second`.
        pairs = [(f"grad(L, {param})", base["g"][number], near[0], far[0]),
                 (f"grad(grad(L, {PARAMS[second]}), {param})", base["h"][number], near[1][second], far[1][second])]
        for what, got, close, wide in pairs:
            scale = max(1.0, abs(close))
            if abs(close - wide) > TOLERANCE * scale:
                kinks += 1
            elif abs(got - close) > TOLERANCE * scale:
                failures.append(f"{what} = {got!r}, by differences {close!r}")
            else:
                compared += 1
    return failures, compared, kinks


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--device", default="interp")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("random-failures"), help="a folder for programs that fail")
    options = parser.parse_args(argv)
    options.rlc = str(Path(options.rlc).resolve())
    failed = compared = kinks = 0
    for number in range(options.count):
        maker = Maker(f"{options.seed}:{number}")
        text = maker.text()
        with tempfile.NamedTemporaryFile("w", suffix=".rl") as program:
            program.write(text)
            program.flush()
            try:
                failures, good, left = check(options, program.name, text, maker.second)
            except RuntimeError as error:
                failures, good, left = [str(error)], 0, 0
        compared, kinks = compared + good, kinks + left
        if failures:
            failed += 1
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"gradient_{options.seed}_{number}.rl").write_text("".join(f"# {f}\n" for f in failures) + text)
            print(f"program {number}:\n  " + "\n  ".join(failures), flush=True)
    print(f"{options.count - failed} programs agree, {failed} fail; {compared} derivatives compared, {kinks} at kinks left out")
    return 1 if failed or compared < 3 * options.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
