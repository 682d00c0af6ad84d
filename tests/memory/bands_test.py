#!/usr/bin/env python3
"""Tensors in a mapped file lie in another order than in memory; programs compute the same bits all the same."""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RLC = ""

# What one loop over all lanes and steps needs of another: the mean keeps them apart, so `y` is kept for all of both.
HEAD = """
param n = {n}, m = {m}
index b in 0..n
index t in 0..m
y[b, 0]   ~ Uniform(0.0, 1.0)
y[b, t+1]  = {step}
level      = mean(y[b, t] for b, t)
"""
STEPS = ["sin(1.7 * y) + 0.1 * y", "if y > 0.5 then y * y else 2.0 * y + 0.03 * t", "cos(y + 0.001 * b)"]
READERS = [
    # backward in time, from the end
    "z[b, t: m] = y[b, m]\nz[b, t in 0..m] = 0.5 * z[b, t+1] + (y - level) * y\nreport \"down\" = mean(z[b, 0] for b)\n",
    # forward again
    "u[b, 0] = 0.0\nu[b, t+1] = 0.9 * u + sin(y - level)\nreport \"up\" = mean(u[b, m] for b)\n",
    # all lanes of a step, other lanes, other steps
    "report \"all\" = mean((y - level) * (y - level) for b, t)\n",
    "report \"mirrored\" = mean(y[b: n - 1 - b, t: m - t] * (y - level) for b, t)\n",
    "report \"neighbours\" = mean(y[b: max(b - 1, 0), t] * (y[b, t+1] - level) for b, t)\n",
    "s[b] = sum(y - level for t)\nprint s[0], s[n - 1]\n",
    "p[t] = max(y * level for b)\nprint p[3], p[m - 1]\n",
    "j ~ Categorical(zeros(n))\nreport \"gathered\" = mean(y[b: j, t] - level for t)\n",
]

# What is saved is kept for all lanes and steps, too.
SAVED = HEAD.format(n=100, m=400, step=STEPS[0]) + """
z[b, t: m] = y[b, m]
z[b, t in 0..m] = 0.5 * z[b, t+1] + (y - level) * y
save y as "y"
report "down" = mean(z[b, 0] for b)
"""


# A lane keeps what it came by, and goes back over it.
OF_A_LANE = """
param n = 256, m = 20000
index b in 0..n
index t in 0..m
y[b, 0]   ~ Uniform(0.0, 1.0)
y[b, t+1]  = sin(1.7 * y) + 0.1 * y
z[b, t: m] = y[b, m]
z[b, t in 0..m] = 0.5 * z[b, t+1] + y * y
report "down" = mean(z[b, 0] for b)
"""


def rlc(*args):
    return subprocess.run([RLC, *map(str, args)], capture_output=True, text=True, timeout=300)


def made(seed):
    """A program and what it is run with."""
    chance = random.Random(seed)
    n, m = chance.choice([16, 37, 64, 100, 129]), chance.choice([30, 101, 256])
    text = HEAD.format(n=n, m=m, step=chance.choice(STEPS)) + "".join(chance.sample(READERS, 3))
    options = ["--threads", chance.choice([1, 2, 3])]
    if chance.random() < 0.3:
        options += ["--vector-width", chance.choice([1, 4, 8, 16, 32])]
    if chance.random() < 0.4:
        options += ["--seeds", "0..3"]
    return text, options


class Bands(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program = Path(self.folder.name) / "program.rl"

    def explained(self, stage, options, *limit):
        seeds = options[options.index("--seeds"):] if "--seeds" in options else []
        return rlc("explain", stage, self.program, *seeds, *limit).stdout

    def test_random_programs_give_the_same_bits(self):
        in_bands = 0
        for seed in range(12):
            text, options = made(seed)
            self.program.write_text(text)
            plain = rlc("run", self.program, *options, "--json")
            self.assertEqual(plain.returncode, 0, text + plain.stderr)
            limit = int(re.search(r"arena: (\d+)", self.explained("memory", options))[1]) // 4
            limited = rlc("run", self.program, *options, "--json", "--memory-limit", limit)
            if limited.returncode == 2 and "does not fit" in limited.stderr:
                continue
            self.assertEqual((limited.returncode, limited.stdout), (0, plain.stdout), text + limited.stderr)
            in_bands += "rlc_fetch_ahead" in self.explained("kernels", options, "--memory-limit", limit)
        self.assertGreaterEqual(in_bands, 6)

    def test_what_threads_work_with_is_asked_for_and_dropped(self):
        self.program.write_text(OF_A_LANE)
        plain = rlc("run", self.program, "--json", "--threads", 2)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        limited = rlc("run", self.program, "--json", "--threads", 2, "--memory-limit", "1M")
        self.assertEqual((limited.returncode, limited.stdout), (0, plain.stdout), limited.stderr)
        kernels = self.explained("kernels", [], "--memory-limit", "1M")
        for function in ("rlc_fetch_ahead", "rlc_will_fetch", "rlc_drop"):
            self.assertIn(f"call void @{function}", kernels)
            self.assertNotIn(f"@{function}", self.explained("kernels", []))

    def test_checkpoints_are_the_same(self):
        """What is saved lies in memory's order, and goes on under a limit and without one."""
        self.program.write_text(SAVED)
        saved = {}
        for name, limit in (("plain", []), ("limited", ["--memory-limit", "400K"])):
            folder = Path(self.folder.name) / name
            folder.mkdir()
            run = subprocess.run([RLC, "run", self.program, "--json", *limit], capture_output=True, text=True, cwd=folder)
            self.assertEqual(run.returncode, 0, run.stderr)
            saved[name] = [run.stdout] + [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]
            self.assertGreater(len(saved[name]), 1)
        self.assertEqual(saved["plain"], saved["limited"])

    def test_a_built_program_keeps_the_limit_that_it_is_built_for(self):
        self.program.write_text(made(1)[0])
        plain = rlc("run", self.program, "--json")
        built = Path(self.folder.name) / "built"
        made_it = rlc("build", self.program, "-o", built, "--memory-limit", "60K")
        self.assertEqual(made_it.returncode, 0, made_it.stderr)
        run = subprocess.run([built, "--json"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (0, plain.stdout), run.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rlc", required=True)
    known, rest = parser.parse_known_args()
    RLC = str(Path(known.rlc).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
