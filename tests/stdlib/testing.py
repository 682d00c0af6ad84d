"""What the tests of the standard library share: programs are run on both devices and their printed values compared with
references that are computed here, in f64, from the published equations."""

import argparse
import json
import math
import struct
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support import rlc as program

DEVICES = ("interp", "cpu")


def f32(x):
    """The nearest f32: what a program's literal means."""
    return struct.unpack("f", struct.pack("f", x))[0]


def rounded(value):
    if isinstance(value, float):
        return f32(value)
    if isinstance(value, (list, tuple)):
        return [rounded(v) for v in value]
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return value


def literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        text = repr(f32(value))
        return text if "." in text or "e" in text else text + ".0"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(literal(v) for v in value) + "]"
    return str(value)


class Runner:
    def __init__(self, path, device):
        self.path, self.device = path, device

    def output(self, source, *args, timeout=120):
        """The printed values: {label: [value at each point, in order]}."""
        outcome = self.outcome(source, *args, timeout=timeout)
        if outcome.status != 0:
            raise AssertionError(f"exit status {outcome.status} on {self.device}:\n{outcome.stderr}\n{source}")
        result = {}
        for line in outcome.stdout.splitlines():
            entry = json.loads(line)
            result.setdefault(entry["print"], []).append(entry["value"])
        return result

    def outcome(self, source, *args, timeout=120):
        command = [self.path, "run", "--json", "--quiet", "--device", self.device, "p.rl", *args]
        return program.run(command, timeout=timeout, files={"p.rl": source})


def difference(got, want, tolerance, path=""):
    """The first place at which two values differ, or None. Numbers: relative above 1, absolute below."""
    if isinstance(want, dict):
        if not isinstance(got, dict) or set(got) != set(want):
            return f"{path}: {got} is not {want}"
        return next((d for k in want if (d := difference(got[k], want[k], tolerance, f"{path}.{k}"))), None)
    if isinstance(want, (list, tuple)):
        if not isinstance(got, list) or len(got) != len(want):
            return f"{path}: {got} is not {want}"
        return next(
            (d for i, v in enumerate(want) if (d := difference(got[i], v, tolerance, f"{path}[{i}]"))), None
        )
    if isinstance(want, bool) or isinstance(got, bool):
        return None if bool(got) == bool(want) and isinstance(got, bool) else f"{path}: {got} is not {want}"
    if not isinstance(got, (int, float)) or not abs(got - want) <= tolerance * max(1.0, abs(want)):
        return f"{path}: {got} is not {want}"
    return None


def agree(got, want, tolerance=1e-5, what=""):
    found = difference(got, want, tolerance)
    if found:
        raise AssertionError(f"{what} {found}")


def numbered(value):
    return [numbered(v) for v in value] if isinstance(value, (list, tuple)) else int(value)


def table(name, values):
    """Equations that make `name` the n-th of these values; records leaf by leaf."""
    if isinstance(values[0], dict):
        return {field: table(field, [v[field] for v in values]) for field in values[0]}
    first = values[0]
    while isinstance(first, (list, tuple)):
        first = first[0]
    # Numbers are one constant; a long list of true and false takes long to compile.
    return literal(numbered(values)) + "[n] == 1" if isinstance(first, bool) else literal(values) + "[n]"


def transitions(runner, use, env, states, actions, *args):
    """One step of `env` from each state by each action: the next states, rewards, ends, and what is observed before."""
    fields = ", ".join(f"{k} = {v}" for k, v in table("s", states).items())
    source = f"""
use {use}
index n in 0..{len(states)}
s[n] = {env}.State({fields})
a[n] = {table("a", actions)}
(next, r, terminated, truncated) = {env}.step(s, a)
print "next", next
print "r", r
print "terminated", terminated
print "truncated", truncated
print "seen", {env}.observe(s)
"""
    return runner.output(source, *args)


def main(tests):
    """Runs functions test(runner) on every device; exit status 0 if all pass."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    failures = ran = 0
    for device in DEVICES:
        runner = Runner(str(Path(options.rlc).resolve()), device)
        for test in tests:
            if options.filter not in test.__name__:
                continue
            ran += 1
            try:
                test(runner)
            except Exception as error:
                failures += 1
                print(f"FAILED {test.__name__} on {device}: {error}")
                if not isinstance(error, AssertionError):
                    traceback.print_exc()
    print(f"{ran - failures} passed, {failures} failed")
    sys.exit(1 if failures or not ran else 0)
