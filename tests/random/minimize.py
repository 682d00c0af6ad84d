"""Makes a failing program small: fewer lines, then shorter expressions."""

import re

LITERALS = ("0.5", "1")
SIMPLE = re.compile(r"\([^()]*\)")


def minimized(text, still_fails, budget=300):
    """The smallest program found within `budget` trials for which `still_fails` holds."""
    trials = [0]

    def check(lines):
        trials[0] += 1
        return trials[0] <= budget and still_fails("\n".join(lines) + "\n")

    lines = fewer_lines(text.splitlines(), check)
    return "\n".join(shorter_lines(lines, check)) + "\n"


def fewer_lines(lines, check):
    size = max(1, len(lines) // 2)
    while True:
        start, removed = 0, False
        while start < len(lines):
            candidate = lines[:start] + lines[start + size:]
            if candidate and check(candidate):
                lines, removed = candidate, True
            else:
                start += size
        if size == 1 and not removed:
            return lines
        size = max(1, size // 2)


def shorter_lines(lines, check):
    """Replaces bracketed parts by literals, innermost last: the greatest part that can go goes first."""
    for number, line in enumerate(lines):
        changed = True
        while changed:
            changed = False
            for begin, end in sorted(brackets(lines[number]), key=lambda part: part[0] - part[1]):
                for literal in LITERALS:
                    old = lines[number]
                    shorter = old[:begin] + literal + old[end:]
                    if len(shorter) < len(old) and check(lines[:number] + [shorter] + lines[number + 1:]):
                        lines = lines[:number] + [shorter] + lines[number + 1:]
                        changed = True
                        break
                if changed:
                    break
    return lines


def brackets(line):
    """(begin, end) of each call or bracketed expression."""
    stack = []
    for position, character in enumerate(line):
        if character == "(":
            name = re.search(r"\w*$", line[:position]).group()
            stack.append(position - len(name))
        elif character == ")" and stack:
            yield stack.pop(), position + 1
