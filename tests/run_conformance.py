#!/usr/bin/env python3
"""Runs the programs of tests/conformance, which carry their own expectations as comments:

    # args: n=3 --seed 1           more arguments for `rlc run`
    # tolerance: 1e-3              for numbers, relative above 1 and absolute below (default 1e-5)
    # expect: x[t=3] = 0.25        a line of stdout; all of them, in order
    # error: E0123 4:7 words       a diagnostic; all of them, in order; exit status 1
    # warning: E0123 4:7 words     a warning; all of them, in order
    # fault: words                 exit status 3, with a message that has these words
    # usage: words                 exit status 2, with a message that has these words
    # same: n=9                    with these arguments added, the lines printed are among those printed then
    # differs: --seed 2            with these arguments added, at least one line differs

In `error` and `warning`, `E????` stands for any code and `*` for any line or column. Any other option of this script is
given to rlc.
"""

import argparse
import re
import shlex
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import passes, rlc
from support.outputs import first_difference
from support.report import check_all

DIRECTIVE = re.compile(r"^# (args|tolerance|expect|error|warning|fault|usage|same|differs):[ ]?(.*)$")
ERROR = re.compile(r"(E\d{4}|E\?{4}) (\d+|\*):(\d+|\*)(?: (.*))?$")
KINDS = ("expect", "error", "warning", "fault", "usage", "same", "differs")


class BadExpectation(Exception):
    pass


@dataclass
class Expectations:
    args: list = field(default_factory=list)
    tolerance: float = 1e-5
    expect: list = field(default_factory=list)
    error: list = field(default_factory=list)
    warning: list = field(default_factory=list)
    fault: list = field(default_factory=list)
    usage: list = field(default_factory=list)
    same: list = field(default_factory=list)
    differs: list = field(default_factory=list)

    def status(self):
        return 1 if self.error else 3 if self.fault else 2 if self.usage else 0


def read_expectations(text):
    result = Expectations()
    for line in text.splitlines():
        match = DIRECTIVE.match(line)
        if not match:
            continue
        kind, rest = match[1], match[2].strip()
        if kind == "args":
            result.args += shlex.split(rest)
        elif kind == "tolerance":
            result.tolerance = float(rest)
        elif kind in ("error", "warning") and not ERROR.match(rest):
            raise BadExpectation(f"cannot read `{line}`")
        else:
            getattr(result, kind).append(rest)
    if not any(getattr(result, kind) for kind in KINDS):
        raise BadExpectation("the program expects nothing")
    if sum(bool(getattr(result, kind)) for kind in ("error", "fault", "usage")) > 1:
        raise BadExpectation("the program expects two exit statuses")
    return result


def has_words(text, words):
    squeezed = re.sub(r"\s*=\s*", "=", text).lower()
    return all(re.sub(r"\s*=\s*", "=", word).lower() in squeezed for word in words.split())


def error_agrees(expected, diagnostic):
    code, line, column, words = ERROR.match(expected).groups()
    return (
        code in ("E????", diagnostic.code)
        and line in ("*", str(diagnostic.line))
        and column in ("*", str(diagnostic.column))
        and has_words(diagnostic.text, words or "")
    )


def described(diagnostic):
    return f"{diagnostic.code} {diagnostic.line}:{diagnostic.column} {diagnostic.message}"


def errors_difference(expected, diagnostics, kind="error"):
    for index, wanted in enumerate(expected):
        if index >= len(diagnostics):
            return f"expected {kind} `{wanted}`, got no more"
        if not error_agrees(wanted, diagnostics[index]):
            return f"expected {kind} `{wanted}`, got `{described(diagnostics[index])}`"
    if len(diagnostics) > len(expected):
        return f"unexpected {kind} `{described(diagnostics[len(expected)])}`"
    return None


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "nothing on stderr"


def outcome_difference(wanted, outcome):
    """None when the outcome is as expected, else one sentence."""
    crash = outcome.crash()
    if crash:
        return f"{crash}; stderr ends with: {last_line(outcome.stderr)}"
    diagnostics = outcome.diagnostics()
    if outcome.status != wanted.status():
        said = described(diagnostics[0]) if diagnostics else last_line(outcome.stderr)
        return f"expected exit status {wanted.status()}, got {outcome.status}: {said}"
    if wanted.error:
        return errors_difference(wanted.error, diagnostics)
    difference = errors_difference(wanted.warning, outcome.diagnostics("warning"), "warning")
    if difference:
        return difference
    for words in wanted.fault + wanted.usage:
        if not has_words(outcome.stderr, words):
            return f"expected the words `{words}` on stderr, got `{last_line(outcome.stderr)}`"
    if wanted.expect or not (wanted.fault or wanted.usage or wanted.same or wanted.differs):
        return first_difference(wanted.expect, outcome.lines(), wanted.tolerance)
    return None


def runs_difference(wanted, outcome, rerun):
    """Compares the lines of `outcome` with those printed with other arguments."""
    if (wanted.same or wanted.differs) and not outcome.lines():
        return "printed nothing to compare"
    for kind in ("same", "differs"):
        for extra in getattr(wanted, kind):
            other = rerun(shlex.split(extra))
            if other.status != 0:
                return f"with `{extra}`: exit status {other.status}: {last_line(other.stderr)}"
            if kind == "same":
                missing = [line for line in outcome.lines() if line not in set(other.lines())]
                if missing:
                    return f"with `{extra}`: `{missing[0]}` is not printed"
            elif other.lines() == outcome.lines():
                return f"with `{extra}`: the same lines are printed"
    return None


def check_program(path, options, flags=()):
    """Runs one program; returns None or what went wrong."""
    try:
        text = path.read_text(encoding="utf-8")
        wanted = read_expectations(text)

        def run(extra):
            return rlc.run(
                [options.rlc, "run", str(path), "--device", options.device] + wanted.args + extra + list(flags) + options.more,
                options.timeout,
            )

        outcome = run([])
        if options.update or options.rewrite:
            rewritten = updated(text, wanted, outcome, options.rewrite)
            if rewritten != text:
                path.write_text(rewritten, encoding="utf-8")
                wanted = read_expectations(rewritten)
        return outcome_difference(wanted, outcome) or runs_difference(wanted, outcome, run)
    except BadExpectation as error:
        return str(error)
    except Exception:  # an error of this script is a failure of the program's test, too
        return traceback.format_exc()


def updated(text, wanted, outcome, rewrite):
    """The program with codes and columns filled in where the rest agrees; with `rewrite`, with what rlc really said."""
    diagnostics = outcome.diagnostics()
    if wanted.error and outcome.status == 1:
        if rewrite and errors_difference(wanted.error, diagnostics):
            return with_errors(text, len(wanted.error), diagnostics)
        if len(diagnostics) == len(wanted.error):
            return with_codes(text, diagnostics)
    if rewrite and wanted.expect and outcome.status == wanted.status():
        if first_difference(wanted.expect, outcome.lines(), wanted.tolerance):
            return replaced(text, "expect", [f"# expect: {line}" for line in outcome.lines()])
    return text


def with_codes(text, diagnostics):
    remaining = iter(diagnostics)
    lines = []
    for line in text.splitlines():
        if line.startswith("# error:"):
            diagnostic = next(remaining)
            expected = line[len("# error:"):].strip()
            if error_agrees(expected, diagnostic):
                words = ERROR.match(expected)[4] or diagnostic.message
                line = f"# error: {diagnostic.code} {diagnostic.line}:{diagnostic.column} {words}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def with_errors(text, old_count, diagnostics):
    # The expectations stand above the program, so that their number moves its lines.
    moved = len(diagnostics) - old_count
    return replaced(
        text, "error", [f"# error: {d.code} {d.line + moved}:{d.column} {d.message}" for d in diagnostics]
    )


def replaced(text, kind, new_lines):
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(f"# {kind}:"))
    kept = [line for line in lines[first:] if not line.startswith(f"# {kind}:")]
    return "\n".join(lines[:first] + new_lines + kept) + "\n"


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True, help="the rlc binary")
    parser.add_argument("--device", default="cpu", help="interp, cpu or gpu (default: cpu)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--filter", default="", help="only programs whose name matches this expression")
    parser.add_argument("--folder", type=Path, default=Path(__file__).resolve().parent / "conformance")
    parser.add_argument("--running", action="store_true", help="leave out programs that do not compile: no device sees them")
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds for each program (default: 30)")
    parser.add_argument("--passes", choices=["all", "each", "random"], default="all", help="which passes native code is made with")
    parser.add_argument("--seed", type=int, default=1, help="of random passes")
    parser.add_argument("--update", action="store_true", help="fill in E???? and * where the rest agrees")
    parser.add_argument("--rewrite", action="store_true", help="replace what differs by what rlc says: then read it")
    options, options.more = parser.parse_known_args(argv)
    options.rlc = str(Path(options.rlc).resolve())
    return options


def main(argv):
    options = arguments(argv)
    programs = sorted(path for path in options.folder.glob("*.rl") if re.search(options.filter, path.stem))
    if options.running:
        programs = [path for path in programs if not re.search("^# (error|usage):", path.read_text(encoding="utf-8"), re.MULTILINE)]
    if not programs:
        print("no program to run")
        return 1
    names = passes.names(options.rlc) if options.passes != "all" else []
    runs = [(path, flags) for path in programs for flags in passes.runs(options.passes, names, f"{options.seed}:{path.stem}")]
    return check_all(
        runs, lambda run: check_program(run[0], options, run[1]), lambda run: " ".join([run[0].name, *run[1]]), options.jobs
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
