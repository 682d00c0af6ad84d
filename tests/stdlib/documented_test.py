#!/usr/bin/env python3
"""Every item that a file of the library offers has a doc comment, `## ...`. That of an environment says what is observed; it or the item's head
says of which types and shapes values are; that of what requires something of its arguments says what is an error; that of what comes from
somewhere (an algorithm, a loss, a network, a distribution, an optimizer, an environment) says from where. docs/library.md is what
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
# A type, or words for one.
SHAPE = re.compile(r"\b(f32|f64|i32|bool|int|env|(one|any) shape|any shapes|shape of|vector|element by element|integers|[nN]umbers?|scalar)\b")
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
    """An item up to the next one: what is indented, and the brace that closes it."""
    end = at + 1
    while end < len(lines) and (not lines[end] or lines[end].startswith(("  ", "}"))):
        end += 1
    return "\n".join(lines[at:end])


def head_of(body):
    return re.split(r"\{|\)[^,]* = ", body)[0]


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
        elif item[1] != "env" and not SHAPE.search(doc + " " + head_of(body_of(lines, at))):
            yield f"{where} does not say of which types and shapes its values are"
        elif "require(" in body_of(lines, at) and not re.search(r"\berrors?\b", doc):
            yield f"{where} requires something of its arguments, and does not say what is an error"
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
