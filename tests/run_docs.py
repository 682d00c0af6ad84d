#!/usr/bin/env python3
"""Runs the examples of the documentation: each ```rl block says in the line above it what is to be done.

    <!-- run: n=3 --seed 1 -->    run it as example.rl with these arguments; the next ```text block is what it prints
                                  (on stderr where it is refused)
    <!-- check -->                it must pass `rlc check`
    <!-- fragment -->             no program of its own

Any other ```rl block is a failure. `...` on a line of its own in the text stands for any lines.
"""

import argparse
import shlex
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import rlc
from support.outputs import lines_agree
from support.report import check_all

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Example:
    file: Path
    line: int
    order: str  # run, check, fragment, or nothing
    args: list
    program: str
    output: list  # None: there is no ```text block

    def place(self):
        return f"{self.file.name}:{self.line}"


def order_of(comment):
    """(order, arguments) of `<!-- run: n=3 -->`."""
    if not (comment.startswith("<!--") and comment.endswith("-->")):
        return "", []
    word, _, rest = comment[4:-3].strip().partition(":")
    return (word.strip(), shlex.split(rest)) if word.strip() in ("run", "check", "fragment") else ("", [])


def examples(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    found, above, number = [], "", 0
    while number < len(lines):
        line = lines[number].strip()
        if line.startswith("```") and line != "```":
            end = next((k for k in range(number + 1, len(lines)) if lines[k].strip() == "```"), len(lines))
            block = lines[number + 1:end]
            if line == "```rl":
                order, args = order_of(above)
                found.append(Example(path, number + 1, order, args, "\n".join(block) + "\n", None))
            elif line == "```text" and found and found[-1].output is None:
                found[-1].output = [text.rstrip() for text in block if text.strip()]
            number, above = end + 1, ""
            continue
        if line:
            above = line
        number += 1
    return found


def outputs_agree(expected, actual, tolerance):
    """Whether the lines agree; `...` stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(outputs_agree(expected[1:], actual[skip:], tolerance) for skip in range(len(actual) + 1))
    return bool(actual) and lines_agree(expected[0], actual[0], tolerance) and outputs_agree(expected[1:], actual[1:], tolerance)


def check(example, options):
    try:
        if not example.order:
            return "the block says neither run, check nor fragment"
        if example.order == "fragment":
            return None
        command = [options.rlc, example.order, "example.rl", *example.args]
        if example.order == "run" and "--device" not in example.args:
            command += ["--device", options.device]
        outcome = rlc.run(command, options.timeout, {"example.rl": example.program})
        if outcome.crash():
            return outcome.crash()
        if example.order == "check":
            return None if outcome.status == 0 else f"is refused: {outcome.stderr[:300]}"
        if example.output is None:
            return "has no ```text block with its output"
        printed = outcome.stdout if outcome.status == 0 else outcome.stderr
        actual = [line.rstrip() for line in printed.splitlines() if line.strip()]
        if not outputs_agree(example.output, actual, options.tolerance):
            return "prints something else:\n    " + "\n    ".join(actual[:20])
        return None
    except Exception:  # an error of this script is a failure of the example, too
        return traceback.format_exc()


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("files", nargs="*", type=Path, help="default: README.md and docs/*.md")
    options = parser.parse_args(argv)
    options.rlc = str(Path(options.rlc).resolve())
    files = options.files or [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))] if path.exists()]
    found = [example for path in files for example in examples(path)]
    if not any(example.order in ("run", "check") for example in found):
        print("no example to run")
        return 1
    return check_all(found, lambda example: check(example, options), lambda example: example.place(), options.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
