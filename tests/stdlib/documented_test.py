#!/usr/bin/env python3
"""Every item that a file of the library offers has a doc comment, `## ...`; that of an environment says what is observed, and that of what
comes from somewhere (an algorithm, a loss, a network, a distribution, an optimizer, an environment) says from where; docs/library.md is what
scripts/library-docs.py makes of them."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

LIBRARY = Path(__file__).resolve().parent.parent.parent / "stdlib"
ITEM = re.compile(r"(fn|module|env|policy|loss|record)\s+(\w+)|(\w+)\s*=\s")

# A paper's year, with or without its authors in the brackets, or a program that is followed.
SOURCE = re.compile(
    r"\b(19|20)\d\d\b|\b(bsuite|CleanRL|Gymnasium|gymnax|MinAtar|PyTorch|Stable-Baselines3)\b|this library's own")
SOURCED = {"losses.rl", "optim.rl", "replay.rl", "returns.rl"}  # whole files, beside the folders algorithms and envs


def needs_source(path, kind, body):
    if path.parent.name in ("algorithms", "envs") or path.name in SOURCED:
        return True
    return kind == "module" and (path.name == "nn.rl" or "sample()" in body)  # networks and distributions


def opening(lines):
    """The comment at the head of a file: an environment's source stands there, or above the environment."""
    return " ".join(line for line in lines[: next((k for k, line in enumerate(lines) if not line.startswith("# ")), 0)])


def comment_above(lines, at):
    first = at
    while first > 0 and lines[first - 1].startswith("##"):
        first -= 1
    return " ".join(line[2:].strip() for line in lines[first:at])


def body_of(lines, at):
    end = next((k for k in range(at + 1, len(lines)) if lines[k].startswith("}")), len(lines)) if lines[at].endswith("{") else at + 1
    return "\n".join(lines[at:end])


def faults(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        item = ITEM.match(line)
        if not item:
            continue
        doc, name = comment_above(lines, at), item[2] or item[3]
        where = f"{path}:{at + 1}: `{name}`"
        if not doc:
            yield f"{where} has no doc comment"
        elif item[1] == "env" and path.parent.name == "envs" and not re.search(r"Observation: .*f32.*Reward", doc):
            yield f"{where} does not say what is observed and what is rewarded"
        elif needs_source(path, item[1], body_of(lines, at)) and not SOURCE.search(
            doc + (opening(lines) if path.parent.name == "envs" else "")
        ):
            yield f"{where} does not say where it comes from: a paper and its year, or a program"
        elif not doc.rstrip().endswith((".", ")", "`", ":")):
            yield f"{where}: its doc comment does not end a sentence"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rlc")
    parser.parse_args()
    files = sorted(LIBRARY.rglob("*.rl"))
    found = [fault for path in files for fault in faults(path)]
    print("\n".join(found) or f"{len(files)} files, all of it documented")
    page = subprocess.run([sys.executable, LIBRARY.parent / "scripts" / "library-docs.py", "--check"], check=False)
    sys.exit(1 if found or not files or page.returncode else 0)


if __name__ == "__main__":
    main()
