#!/usr/bin/env python3
"""Runs random programs in the interpreter and in native code, compares what they print, and makes small what differs.

    compare.py --rlc build/release/rlc --seed 1 --count 1000 --jobs 4 --flags=--disable-pass=cse

Each --flags is one more native run of every program. With `--passes each` there is one more without each of the compiler's
passes; with `--passes random` each program's native run is without some of them. A program that both refuse is a mistake of
the generator.
"""

import argparse
import os
import random
import shlex
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import endings
from generate import generate
from minimize import minimized
from support import passes, rlc
from support.outputs import first_difference

AGREE, REFUSED, DIFFER = "agree", "refused", "differ"
PROGRESS = 500  # programs


class Comparer:
    def __init__(self, options):
        self.options = options

    def run(self, text, device, flags):
        with tempfile.NamedTemporaryFile("w", suffix=".rl", encoding="utf-8") as program:
            program.write(text)
            program.flush()
            command = [self.options.rlc, "run", program.name, "--device", device, *self.options.run_args, *flags]
            outcome = rlc.run(command, self.options.timeout)
            outcome.stderr = outcome.stderr.replace(program.name, "program.rl")
            return outcome

    def native_runs(self, number):
        """The arguments of each native run of a program."""
        runs = passes.runs(self.options.passes, self.options.pass_names, f"{self.options.seed}:{number}")
        if self.options.passes == "each":
            runs = [[]] + runs
        return runs + self.options.flag_sets

    def compare(self, text, runs):
        """(verdict, what was seen)"""
        reference = self.run(text, "interp", [])
        if reference.crash():
            return DIFFER, f"interpreter: {reference.crash()}: {reference.stderr[-300:]}"
        for flags in runs:
            name = " ".join([self.options.device] + flags)
            native = self.run(text, self.options.device, flags)
            if native.crash():
                return DIFFER, f"{name}: {native.crash()}: {native.stderr[-300:]}"
            if native.status != reference.status:
                return DIFFER, f"status {reference.status} in the interpreter, {native.status} on {name}: {(native.stderr or reference.stderr)[:300]}"
            if reference.status == 0:
                difference = first_difference(reference.lines(), native.lines(), self.options.tolerance)
                if difference:
                    return DIFFER, f"{name}: {difference}"
            elif not self.same_errors(reference, native):
                return DIFFER, f"{name}: other errors: {native.stderr[:300]}"
        if reference.status != 0:
            return REFUSED, reference.stderr[:400]
        return (AGREE, "") if reference.lines() else (REFUSED, "prints nothing")

    def same_errors(self, left, right):
        return [(d.code, d.line) for d in left.diagnostics()] == [(d.code, d.line) for d in right.diagnostics()]

    def kind(self, text, runs):
        """What minimizing must keep: that it differs, and how, without the figures."""
        verdict, seen = self.compare(text, runs)
        return (verdict, seen.split(":")[0] + ("crash" if "SIG" in seen or "printed" in seen else ""))


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--of", choices=["all", "endings"], default="all", help="what the programs are about: endings.py, or generate.py")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--flags", action="append", default=[], help="more arguments for one more native run")
    parser.add_argument("--passes", choices=["all", "each", "random"], default="all", help="which passes native code is made with")
    parser.add_argument("--run-args", default="--seed 1", help="arguments of every run")
    parser.add_argument("--out", type=Path, default=Path("random-failures"), help="a folder for programs that differ")
    parser.add_argument("--refused", type=float, default=0.005, help="the share of refused programs that is let pass")
    parser.add_argument("--no-minimize", action="store_true")
    parser.add_argument("--stop-after", type=int, default=20, help="end after so many failures")
    options = parser.parse_args(argv)
    options.rlc = str(Path(options.rlc).resolve())
    options.flag_sets = [shlex.split(flags) for flags in options.flags]
    options.run_args = shlex.split(options.run_args)
    options.pass_names = passes.names(options.rlc) if options.passes != "all" else []
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**6)
    return options


def keep(options, comparer, name, text, runs, seen):
    small = text
    if not options.no_minimize:
        wanted = comparer.kind(text, runs)
        small = minimized(text, lambda candidate: comparer.kind(candidate, runs) == wanted)
        seen = comparer.compare(small, runs)[1] or seen
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / f"{name}.rl").write_text("# " + seen.replace("\n", "\n# ") + "\n" + small, encoding="utf-8")
    (options.out / f"{name}.full").write_text(text, encoding="utf-8")
    print(f"{name}: {seen}\n{small}", flush=True)


def main(argv):
    options = arguments(argv)
    scratch = tempfile.TemporaryDirectory(prefix="rlc-cache-")
    os.environ["RLC_CACHE_DIR"] = scratch.name  # these programs come but once
    print(f"seed {options.seed}, {options.count} programs", flush=True)
    comparer = Comparer(options)
    counts = {AGREE: 0, REFUSED: 0, DIFFER: 0}
    started = time.monotonic()

    def job(number):
        seed = f"{options.seed}:{number}"
        text = endings.generate(seed) if options.of == "endings" else generate(seed, options.size)
        runs = comparer.native_runs(number)
        return (number, text, runs, *comparer.compare(text, runs))

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        chunk = 10 * options.jobs
        for first in range(0, options.count, chunk):
            for number, text, runs, verdict, seen in pool.map(job, range(first, min(first + chunk, options.count))):
                counts[verdict] += 1
                if verdict == AGREE:
                    continue
                if verdict == DIFFER or counts[REFUSED] <= 5:
                    keep(options, comparer, f"{verdict}_{options.seed}_{number}", text, runs, seen)
            if counts[DIFFER] >= options.stop_after:
                break
            if (first + chunk) % PROGRESS == 0:
                print(f"{first + chunk} programs, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    seconds = time.monotonic() - started
    print(f"{counts[AGREE]} agree, {counts[DIFFER]} differ, {counts[REFUSED]} refused, {seconds:.0f} s, seed {options.seed}")
    if counts[AGREE] == 0 or counts[DIFFER] > 0 or counts[REFUSED] > options.refused * options.count:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
