#!/usr/bin/env python3
"""Runs one learning program (learn.rl) in sizes that fill no block of lanes, with any number of threads and lanes.

Results are the same to the last bit for 1, 2, 3 and 16 threads; they agree with the interpreter's for every size and width.
Of a program with faults at many points (faults.rl) any number of threads tells the same one, each time.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support import rlc

PROGRAM = Path(__file__).resolve().parent / "learn.rl"
FAULTS = Path(__file__).resolve().parent / "faults.rl"
REPEATS = 10
THREADS = (1, 2, 3, 16)
WIDTHS = (1, 4, 8, 16, 32)
SMALL = ["iterations=2", "horizon=5", "hidden=5"]
SIZES = [
    ["envs=1"],
    ["envs=3", "features=1"],
    ["envs=7", "hidden=1"],
    ["envs=17", "horizon=1"],
    ["envs=31", "features=2"],
]


def lines(binary, arguments):
    outcome = rlc.run([binary, "run", str(PROGRAM), "--json"] + arguments, 120)
    if outcome.status != 0:
        raise SystemExit(f"{' '.join(arguments)}: exit status {outcome.status}: {outcome.stderr}")
    if not outcome.lines():
        raise SystemExit(f"{' '.join(arguments)}: nothing was shown")
    return outcome.lines()


def numbers(value):
    if isinstance(value, list):
        return [number for part in value for number in numbers(part)]
    if isinstance(value, dict):
        return numbers(list(value.values()))
    return [float(value)]


def differs(expected, actual, tolerance):
    """One sentence, or None."""
    if len(expected) != len(actual):
        return f"{len(actual)} lines instead of {len(expected)}"
    for wanted, got in zip(map(json.loads, expected), map(json.loads, actual)):
        for x, y in zip(numbers(wanted["value"]), numbers(got["value"]), strict=True):
            if not abs(x - y) <= tolerance * max(1.0, abs(x)):
                return f"{got} instead of {wanted}"
    return None


def threads_agree(binary):
    for sizes in (["envs=203", "horizon=101"], ["envs=64", "hidden=33"]):
        first = lines(binary, ["--device", "cpu", "--threads", "1"] + sizes)
        for threads in THREADS[1:]:
            if lines(binary, ["--device", "cpu", "--threads", str(threads)] + sizes) != first:
                yield f"{sizes}: {threads} threads give other bits than 1"


def faults_agree(binary):
    for options in ([], ["--check"]):
        told = set()
        for threads in THREADS:
            for _ in range(REPEATS):
                outcome = rlc.run([binary, "run", str(FAULTS), "--device", "cpu", "--threads", str(threads)] + options, 120)
                told.add((outcome.status, outcome.stderr))
        status, text = min(told)
        if len(told) > 1:
            yield f"faults {options}: {len(told)} are told, which depends on the threads: {sorted(told)}"
        elif status != 3 or "faults.rl:7:1:" not in text or "`tab`" not in text or "at b = " not in text:
            yield f"faults {options}: status {status}: {text}"


def sizes_agree(binary):
    for sizes in SIZES:
        arguments = SMALL + sizes
        expected = lines(binary, ["--device", "interp"] + arguments)
        for width in (None,) + WIDTHS:
            forced = [] if width is None else ["--vector-width", str(width)]
            problem = differs(expected, lines(binary, ["--device", "cpu"] + forced + arguments), 1e-4)
            if problem:
                yield f"{sizes}, width {width or 'of the host'}: {problem}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    options = parser.parse_args()
    options.rlc = str(Path(options.rlc).resolve())
    problems = list(threads_agree(options.rlc)) + list(faults_agree(options.rlc)) + list(sizes_agree(options.rlc))
    print("\n".join(problems) or "threads, faults, sizes and widths agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
