"""Formatting changes no program: the dependence graph of every program of the repository, as it stands and formatted
(with a formatted library), is the same text; what is refused is refused with the same words."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support import rlc

FOLDERS = ("stdlib", "examples", "tests", "benchmarks")


def copy_programs(target):
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("**/*.rl")):
            place = target / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)


def first_lines(path):
    """`# args: n=3`: what a test gives its program."""
    with open(path, encoding="utf-8", errors="replace") as file:
        found = re.search(r"^# args:(.*)$", "".join(file.readlines()[:5]), re.M)
    return [word for word in found.group(1).split() if re.match(r"^[\w.]+=", word)] if found else []


def meaning(binary, tree, program, arguments):
    command = [binary, "explain", "graph", program, *arguments, "--stdlib", str(tree / "stdlib")]
    done = rlc.run(command, 120, folder=tree)
    assert not done.timed_out and done.status in (0, 1, 2), (program, done)
    # Places move with the text; the errors and their words stay.
    errors = re.findall(r"(?:error|warning)\[E\d+\]: [^\n]*", done.stderr)
    return done.status, done.stdout, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    binary = os.path.abspath(parser.parse_args().rlc)
    with tempfile.TemporaryDirectory() as folder:
        plain, neat = pathlib.Path(folder, "plain"), pathlib.Path(folder, "neat")
        copy_programs(plain)
        copy_programs(neat)
        programs = sorted(str(path.relative_to(plain)) for path in plain.glob("**/*.rl"))
        # Broken programs stay as they are.
        subprocess.run([binary, "fmt", "."], cwd=neat, capture_output=True, timeout=300, check=False)
        changed = [p for p in programs if (plain / p).read_bytes() != (neat / p).read_bytes()]

        def differs(program):
            arguments = first_lines(plain / program)
            return meaning(binary, plain, program, arguments) != meaning(binary, neat, program, arguments)

        # The library is formatted for all of them; beyond it only what was changed can differ.
        library = any(program.startswith("stdlib") for program in changed)
        affected = [p for p in programs if p in changed or (library and b"use std" in (plain / p).read_bytes())]
        assert programs and affected, "there are programs to compare"
        with ThreadPoolExecutor(max_workers=2) as pool:
            wrong = [program for program, bad in zip(affected, pool.map(differs, affected)) if bad]
    for program in wrong:
        print(f"FAILED {program}: formatted it is another program")
    print(f"{len(affected)} programs compared, {len(wrong)} differ; {len(programs) - len(affected)} are formatted already")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
