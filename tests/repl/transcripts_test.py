"""Transcripts of `rlc repl`: tests/repl/transcripts/*.txt and the ```transcript blocks of docs/repl.md.

Lines that begin with the prompt (`rl> `, `..> `) are what is typed; everything else is what has to come, on
stdout and stderr together. `...` on a line of its own stands for any lines. `--update` rewrites the files.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROMPTS = ("rl> ", "..> ")


def typed(transcript):
    return "".join(line[4:] + "\n" for line in transcript if line.startswith(PROMPTS))


def agree(expected, actual):
    """Line by line; `...` stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(agree(expected[1:], actual[skip:]) for skip in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and agree(expected[1:], actual[1:])


def play(rlc, transcript, folder):
    done = subprocess.run([rlc, "repl", "--echo"], input=typed(transcript).encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, cwd=folder, timeout=120, check=False)
    assert done.returncode in (0, 1), f"exit status {done.returncode}:\n{done.stdout.decode()}"
    lines = [line.rstrip() for line in done.stdout.decode().splitlines()]
    while lines and lines[-1] in ("rl>", ""):  # the prompt at the end of the input
        lines.pop()
    return lines


def blocks_of(path):
    """The ```transcript blocks of a page, each with the line where it begins."""
    lines, blocks, start = path.read_text(encoding="utf-8").splitlines(), [], None
    for number, line in enumerate(lines, 1):
        if start is None and line.strip() == "```transcript":
            start = number
        elif start is not None and line.strip() == "```":
            blocks.append((start, lines[start:number - 1]))
            start = None
    return blocks


def rewrite(path, start, count, actual):
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[start:start + count] = actual
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    rlc = os.path.abspath(options.rlc)
    cases = [(path.name, path, 0, path.read_text(encoding="utf-8").splitlines())
             for path in sorted((HERE / "transcripts").glob("*.txt"))]
    page = ROOT / "docs" / "repl.md"
    # From the last, so that an update moves none that is still to come.
    cases += [(f"{page.name}:{line}", page, line, block) for line, block in reversed(blocks_of(page))]
    assert len(cases) > 5, "there are transcripts"
    failed = 0
    for name, path, start, transcript in cases:
        expected = [line.rstrip() for line in transcript]
        with tempfile.TemporaryDirectory() as folder:
            for program in (HERE / "programs").glob("*.rl"):
                shutil.copy(program, folder)
            actual = play(rlc, transcript, folder)
        if agree(expected, actual):
            continue
        if options.update and "..." not in expected:
            rewrite(path, start, len(transcript), actual)
            print(f"updated {name}")
            continue
        failed += 1
        print(f"FAILED {name}; it says:\n" + "\n".join("    " + line for line in actual))
    print(f"{len(cases) - failed} transcripts passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
