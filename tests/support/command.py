"""Calls of rlc, and what they say."""

import os
import subprocess
from pathlib import Path

RLC = ""  # run_functions sets it
DECAY = "param n = 3\nparam rate: f32 = 0.5\nindex t in 0..n\nx[0] = 1.0\nx[t+1] = rate * x\nprint x\n"


def run(*arguments, stdin="", **more):
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | more.pop("env", {})
    return subprocess.run([RLC, *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60,
                          env=environment, check=False, **more)


def write(folder, name, text):
    path = Path(folder) / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def says(done, status, *words):
    """The status, and words that stderr has."""
    assert done.returncode == status, f"status {done.returncode}, not {status}: {done.stderr[:500]}"
    for word in words:
        assert word in done.stderr, f"stderr lacks {word!r}: {done.stderr[:500]}"
    return done
