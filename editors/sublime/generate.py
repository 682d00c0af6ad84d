#!/usr/bin/env python3
"""Makes rl.sublime-syntax, for Sublime Text and bat, from VS Code's TextMate grammar. `--check`: says whether it is up to date."""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
GRAMMAR = HERE.parent / "vscode" / "syntaxes" / "rl.tmLanguage.json"
TARGET = HERE / "rl.sublime-syntax"


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def captures(given, indent, key="captures"):
    if not given:
        return []
    return [f"{indent}{key}:"] + [f"{indent}  {number}: {capture['name']}" for number, capture in given.items()]


def rule(pattern, indent):
    if "include" in pattern:
        return [f"{indent}- include: {pattern['include'].removeprefix('#')}"]
    inner = indent + "  "
    if "match" in pattern:
        lines = [f"{indent}- match: {quoted(pattern['match'])}"]
        if "name" in pattern:
            lines.append(f"{inner}scope: {pattern['name']}")
        return lines + captures(pattern.get("captures"), inner)
    assert set(pattern) <= {"begin", "end", "name", "captures", "beginCaptures", "endCaptures", "patterns"}, pattern
    both = pattern.get("captures")
    deep = inner + "    "
    lines = [f"{indent}- match: {quoted(pattern['begin'])}"]
    lines += captures(pattern.get("beginCaptures", both), inner)
    lines += [f"{inner}push:", f"{inner}  - meta_scope: {pattern['name']}", f"{inner}  - match: {quoted(pattern['end'])}"]
    lines += captures(pattern.get("endCaptures", both), deep)
    lines.append(f"{deep}pop: true")
    for nested in pattern.get("patterns", []):
        lines += rule(nested, inner + "  ")
    return lines


def syntax(grammar):
    lines = ["%YAML 1.2", "---", "# Made by generate.py from the TextMate grammar.", f"name: {grammar['name']}",
             f"file_extensions: [{', '.join(grammar['fileTypes'])}]", f"scope: {grammar['scopeName']}", "contexts:"]
    contexts = {"main": grammar["patterns"], **{name: part["patterns"] for name, part in grammar["repository"].items()}}
    for name, patterns in contexts.items():
        lines.append(f"  {name}:")
        for pattern in patterns:
            lines += rule(pattern, "    ")
    return "\n".join(lines) + "\n"


def main():
    text = syntax(json.loads(GRAMMAR.read_text()))
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text)
        return 0
    if TARGET.exists() and TARGET.read_text() == text:
        return 0
    print(f"{TARGET.name} is older than the TextMate grammar: run editors/sublime/generate.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
