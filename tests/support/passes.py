"""Which of the compiler's passes a run leaves out."""

import random
import re
import sys
import tempfile

from . import rlc


def names(binary):
    """What the compiler says when it is asked to leave out a pass that it does not have."""
    with tempfile.NamedTemporaryFile("w", suffix=".rl") as program:
        said = rlc.run([binary, "run", program.name, "--disable-pass=?"]).stderr
    found = re.search(r"the passes are (.+)", said)
    if not found:
        sys.exit(f"rlc names no passes: {said}")
    return found.group(1).split(", ")


def without(passes):
    return [f"--disable-pass={name}" for name in passes]


def runs(which, all_names, seed):
    """The arguments of each run: of "all" one with all passes; of "each" one without each pass; of "random" one without some
    that `seed`, a text, chooses."""
    if which == "each":
        return [without([name]) for name in all_names]
    if which == "random":
        choice = random.Random(f"passes {seed}")
        return [without([name for name in all_names if choice.random() < 0.5])]
    return [[]]
