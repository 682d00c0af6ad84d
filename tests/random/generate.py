#!/usr/bin/env python3
"""Writes random well-formed programs: indices, recurrences, reductions, gathers, draws and gradients of all that.

    generate.py --seed 7 --count 3 --size 6          three programs on stdout
    generate.py --seed 7 --count 100 --out FOLDER    a file each

The same seed gives the same programs.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from equations import Equations
from model import Index, Program


def add_indices(program):
    for name in ["a", "b", "c", "t"][-program.random.randint(2, 4):]:
        lo = program.pick([0, 0, 0, 1, -1, -2])
        program.indices[name] = Index(name, lo, lo + program.random.randint(2, 4))
    if program.chance(0.35):
        parent = program.indices[program.pick(list(program.indices))]
        lo = parent.lo - program.pick([0, 0, 1])
        program.indices["d"] = Index("d", lo, parent.hi, parent.name)


def generate(seed, size=5):
    """The text of one program."""
    program = Program(seed, size)
    add_indices(program)
    equations = Equations(program)
    equations.add_params()
    equations.add_functions()
    equations.add_sources()
    for _ in range(size):
        equations.add_one()
    for _ in range(program.random.randint(0, 2)):
        equations.add_gradient()
    if program.chance(0.3):
        equations.add_one()
    return program.text()


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--size", type=int, default=5, help="equations of a program, about (default: 5)")
    parser.add_argument("--out", type=Path, help="a folder for the programs")
    options = parser.parse_args(argv)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    print(f"seed {seed}", file=sys.stderr)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    for number in range(options.count):
        text = generate(f"{seed}:{number}", options.size)
        if options.out:
            (options.out / f"{seed}_{number}.rl").write_text(text, encoding="utf-8")
        else:
            print(f"# seed {seed}, program {number}\n{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
