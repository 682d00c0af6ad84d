#!/usr/bin/env python3
"""Every item that a file of the library offers has a doc comment, `## ...`. It or the item's head says of which types and shapes values are, and the
comment alone where an argument has no type; that of an environment what is observed and rewarded, that of a physical one its units. Each thing that
is required of arguments, in the item or in a function that it hands them to, stands in a sentence that says it is an error. What comes from somewhere
(an algorithm, a loss, a network, a distribution, an optimizer, an environment) says from where, and of a paper's formula, by which number. docs/library.md is
what scripts/library-docs.py makes of them."""

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
# Where in a paper a formula stands, or the formula itself.
PLACE = re.compile(r"\b(appendix|algorithm|chapter|definition|equations?|lemma|section|theorem)\b| = ")
FORMULAS = {"losses.rl", "nn.rl", "optim.rl", "returns.rl"}
UNITS = re.compile(r"\b(metres|radians|degrees|seconds?|kg|m|s|unit of (time|f))\b", re.IGNORECASE)
PHYSICAL = {"acrobot.rl", "cart_pole.rl", "integrate.rl", "pendulum.rl", "swimmer.rl"}
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


def until_closed(text, start):
    """What stands in the bracket that opens at `start`, split at its own commas."""
    parts, depth, quoted, first = [], 0, False, start + 1
    for at in range(start, len(text)):
        if text[at] == '"':
            quoted = not quoted
        elif not quoted and text[at] in "([{":
            depth += 1
        elif not quoted and text[at] in ")]}":
            depth -= 1
        if not quoted and (depth == 0 or (depth == 1 and text[at] == ",")):
            parts.append(text[first:at].strip())
            first = at + 1
        if depth == 0:
            break
    return parts


def untyped(body, name):
    """The parameters of the head that have neither a type nor a value."""
    opens = body.find(name) + len(name)
    if not body[opens:].startswith("("):
        return []
    return [part for part in until_closed(body, opens) if part and not re.search("[:=]", part)]


# Words that tell nothing of what is required.
COMMON = set("the and not all any none one least less than most some there where here has are its for gives give many much how number numbers value values len max min "
             "shape axis inf known from".split())


def telling(text):
    """The words of a text, plurals without their s."""
    return {word.rstrip("s") for word in re.findall(r"[^\W\d]\w\w+", text) if word.lower() not in COMMON}


def required(body):
    """Of each `require(...)` the words by which it may be known: those of the condition and of the message."""
    code = re.sub(r"#.*", "", body)
    return [telling(" ".join(until_closed(code, found.end() - 1)[1:3])) for found in re.finditer(r"\brequire\(", code)]


def checkers(files):
    """The library's small functions that only hand on what they require something of: name -> its requirements."""
    found = {}
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        for at, line in enumerate(lines):
            if (item := re.match(r"fn (\w+)", line)) and re.search(r"\) *(-> *\S+ *)?= *require\(", " ".join(lines[at : at + 3])):
                found[item[1]] = required(body_of(lines, at))
    return found


def unsaid(doc, body, known):
    """What is required, in the item or by a checker that it calls, and in no sentence about errors."""
    errors = " ".join(sentence for sentence in re.split(r"(?<=[.:]) (?=[A-Z`])", doc) if re.search(r"\berrors?\b", sentence))
    wanted = required(body)
    for name, requirements in known.items():
        if re.search(rf"(?<![\w.]){name}\(", body.split("\n", 1)[-1]) or re.search(rf"= .*(?<![\w.]){name}\(", body.split("\n", 1)[0]):
            wanted += requirements
    return [words for words in wanted if not words & telling(errors)]


def faults(path, known):
    lines = path.read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        item = ITEM.match(line)
        if not item:
            continue
        doc, name, body = comment_above(lines, at), item[2] or item[3], body_of(lines, at)
        where = f"{path}:{at + 1}: `{name}`"
        about = doc + (opening(lines) if path.parent.name == "envs" else "")
        if not doc:
            yield f"{where} has no doc comment"
            continue
        if item[1] == "env" and path.parent.name == "envs" and not re.search(r"Observation: .*f32.*Reward", doc):
            yield f"{where} does not say what is observed and what is rewarded"
        if item[1] != "env" and not SHAPE.search(doc + " " + head_of(body)):
            yield f"{where} does not say of which types and shapes its values are"
        if (bare := untyped(body, name)) and not SHAPE.search(doc):
            yield f"{where} does not say of which types and shapes are {', '.join(bare)}"
        if path.name in PHYSICAL and item[1] in ("env", "fn") and "(" in body and not UNITS.search(doc):
            yield f"{where} does not say in which units its values are"
        for words in unsaid(doc, body, known):
            yield f"{where} does not say that it is an error, what it requires by the words: {' '.join(sorted(words))}"
        if needs_source(path, item[1], body) and not SOURCE.search(about):
            yield f"{where} does not say where it comes from: a paper and its year, or a program"
        if path.name in FORMULAS and re.search(r"\([^()]*[a-z.], (19|20)\d\d\b", doc) and not PLACE.search(doc):
            yield f"{where} does not say which equation of the paper it is"
        if not doc.rstrip().endswith((".", ")", "`", ":")):
            yield f"{where}: its doc comment does not end a sentence"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rlc")
    parser.parse_args()
    files = sorted(LIBRARY.rglob("*.rl"))
    known = checkers(files)
    found = [fault for path in files for fault in faults(path, known)]
    print("\n".join(found) or f"{len(files)} files, all of it documented")
    page = subprocess.run([sys.executable, LIBRARY.parent / "scripts" / "library-docs.py", "--check"], check=False)
    sys.exit(1 if found or not files or page.returncode else 0)


if __name__ == "__main__":
    main()
