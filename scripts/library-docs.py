#!/usr/bin/env python3
"""Writes docs/library.md from the doc comments of stdlib/, or, with --check, says whether it is what they say."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY, PAGE = ROOT / "stdlib", ROOT / "docs" / "library.md"
ITEM = re.compile(r"(?:(fn|module|env|policy|loss|record)\s+)?(\w+)")
INTRODUCTION = """# The standard library

Written in the language itself, in `stdlib/`, and generated from its comments by `scripts/library-docs.py`. `use std.nn.Mlp` takes an
item by the name that its heading shows. The prelude is in scope everywhere.
"""


def signature(text):
    """An item's head, up to its body: `Dense(n: int, m: int, gain = sqrt(2.0))`; what it returns and runs over included."""
    depth = 0
    for at, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and (c == "{" or (c == "=" and text[at - 1:at + 1] not in ("==", "<=", ">=", "!="))):
            return " ".join(text[:at].split())
    return " ".join(text.split())


def params(block):
    """What an environment's `param` lines offer: [`gravity = 9.8`, ...]."""
    found = []
    for match in re.finditer(r"^  param ((?:.*,\n)*.*)$", block, re.MULTILINE):
        found.append(" ".join(match[1].split()))
    return ", ".join(found)


def body_of(lines, at):
    """An item from its head to the brace that closes it."""
    return "\n".join(lines[at:next((k for k in range(at + 1, len(lines)) if lines[k].startswith("}")), len(lines))])


METHOD = re.compile(r"  (\w+)\(")


def methods(block, doc):
    """What a module's values can be asked: (signature, doc) of its methods, but for those that only serve its other methods."""
    lines = block.splitlines()
    for at, line in enumerate(lines):
        found = METHOD.match(line)
        if not found:
            continue
        first = at
        while lines[first - 1].startswith("  ##"):
            first -= 1
        own = " ".join(told.strip()[2:].strip() for told in lines[first:at])
        used = len(re.findall(rf"(?<![.\w]){found[1]}\(", block)) > 1
        if own or not used or found[1] in ("apply", "sample", "rsample") or f"{found[1]}(" in doc:
            yield signature("\n".join(lines[at:]).strip()), own


def entries(path):
    """(kind, signature, params, methods, doc) of each item of a file, in order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        if not line.startswith("## ") or at and lines[at - 1].startswith("##"):
            continue
        end = at
        while end < len(lines) and lines[end].startswith("##"):
            end += 1
        item = ITEM.match(lines[end]) if end < len(lines) else None
        if not item:
            continue
        stop = next((k for k in range(end + 1, len(lines)) if lines[k].startswith(("##", "}"))), len(lines))
        body = "\n".join(lines[end:stop])
        head = signature(body)
        kind = item[1] or "value"
        doc = " ".join(l[2:].strip() for l in lines[at:end])
        asked = list(methods(body_of(lines, end), doc)) if kind == "module" else []
        yield kind, head[len(kind) + 1:] if item[1] else head, params(body) if kind == "env" else "", asked, doc


def opening(path):
    """The comment at the head of a file."""
    words = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#") or line.startswith("##"):
            break
        words.append(line[1:].strip())
    return " ".join(words)


def page():
    parts = [INTRODUCTION]
    for path in sorted(LIBRARY.rglob("*.rl"), key=lambda p: (len(p.parts), p)):
        module = ".".join(path.relative_to(LIBRARY).with_suffix("").parts)
        found = list(entries(path))
        # An item that has a file to itself is named without it: std.envs.CartPole.
        own = len(found) >= 1 and re.sub(r"[^a-z0-9]", "", path.stem) == re.match(r"\w+", found[0][1])[0].lower()
        parts.append(f"## {'.'.join(module.split('.')[:-1]) + '.' + re.match(r'[A-Za-z0-9_]+', found[0][1])[0] if own else module}\n")
        if opening(path):
            parts.append(opening(path) + "\n")
        for kind, head, given, asked, doc in found:
            parts.append(f"### {kind} `{head}`\n")
            parts.append(doc + "\n")
            if given:
                parts.append(f"Params: `{given}`.\n")
            if plain := [method for method, own in asked if not own]:
                parts.append("Methods: " + ", ".join(f"`{method}`" for method in plain) + ".\n")
            if told := [(method, own) for method, own in asked if own]:
                parts.append("\n".join(f"- `{method}`: {own}" for method, own in told) + "\n")
    return "\n".join(parts)


def main():
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        sys.exit(f"{PAGE} is not what the library's comments say: run scripts/library-docs.py")


if __name__ == "__main__":
    main()
