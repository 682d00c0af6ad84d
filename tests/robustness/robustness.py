#!/usr/bin/env python3
"""Feeds rlc what no user would write: whatever comes, it must end in time with status 0 to 3 and say why.

    robustness.py --rlc build/release/rlc --jobs 4

Truncated and damaged programs, binary noise, enormous and deeply nested text, odd encodings, missing files, bad
command lines. No signal, no exception text, no hang; a refusal comes with a message.
"""

import argparse
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support import rlc

TESTS = Path(__file__).resolve().parent.parent
FIXED_SEED = 20
BASE = "param n = 3\nindex t in 0..n\nx[0] = 1.0\nx[t+1] = 0.5 * x\nprint x\n"


class Case:
    """A file's bytes (None: no file is written), more arguments, and the exit statuses that are right."""

    def __init__(self, name, data, statuses=(0, 1, 2, 3), args=(), command=("run",), words=""):
        self.name = name
        self.data = data
        self.statuses = statuses
        self.args = args
        self.command = command
        self.words = words


def truncated(step):
    """Every step-th prefix of some programs that use much of the language."""
    names = ["03_record_over_indices", "05_lazy_chain", "09_recurrence_vectors", "10_gae", "11_env_autoreset"]
    for name in names:
        data = (TESTS / "conformance" / f"{name}.rl").read_bytes()
        code = data[data.index(b"\n\n") + 2:]
        for end in range(0, len(code), step):
            yield Case(f"{name} cut at byte {end}", code[:end])


def examples(step):
    """Every step-th prefix of every example and page of the standard library, and each with a flipped bit; checked, as some would run long."""
    generator = random.Random(FIXED_SEED)
    root = TESTS.parent
    for path in [*sorted((root / "examples").rglob("*.rl")), *sorted((root / "stdlib").rglob("*.rl"))]:
        code, name = path.read_bytes(), str(path.relative_to(root))
        ends = range(0, len(code), step) if name.startswith("examples") else [generator.randrange(len(code))]
        for end in ends:
            yield Case(f"{name} cut at byte {end}", code[:end], (0, 1), command=("check",))
        for _ in range(2):
            at, bit = generator.randrange(len(code)), generator.randrange(8)
            flipped = code[:at] + bytes([code[at] ^ 1 << bit]) + code[at + 1:]
            yield Case(f"{name} with bit {bit} of byte {at} flipped", flipped, (0, 1), command=("check",))


def damaged(count):
    """Programs with random bytes replaced, inserted, or parts swapped."""
    generator = random.Random(FIXED_SEED)
    programs = [path.read_bytes() for path in sorted((TESTS / "conformance").glob("*.rl"))]
    marks = [b"(", b")", b"[", b"]", b"{", b"}", b"=", b"..", b",", b"\n", b"if ", b" for ", b"~", b"'", b'"', b"\xff", b"\0", b"9" * 30]
    for number in range(count):
        data = bytearray(generator.choice(programs))
        for _ in range(generator.randint(1, 4)):
            at = generator.randrange(len(data))
            data[at:at + generator.randint(0, 3)] = generator.choice(marks)
        yield Case(f"damaged program {number} (seed {FIXED_SEED})", bytes(data))


def noise():
    generator = random.Random(FIXED_SEED)
    for size in (1, 10, 1000, 100_000):
        yield Case(f"{size} random bytes", generator.randbytes(size), (0, 1))
    yield Case("an ELF header", b"\x7fELF\x02\x01\x01" + bytes(60), (1,))
    yield Case("random printable characters", bytes(generator.randint(32, 126) for _ in range(20_000)), (1,))
    yield Case("random tokens", b" ".join(generator.choice([b"x", b"1", b"(", b")", b"[", b"=", b"+", b"if", b"for", b"..", b"~", b","])
                                          for _ in range(20_000)), (1,))


def nested():
    deep = 100_000
    for opening, inside, closing in (("(", "1", ")"), ("[", "1", "]"), ("-", "1", ""), ("not ", "true", ""), ("f(", "1", ")"),
                                     ("x[", "1", "]"), ("{ a = ", "1", " }"), ("if true then 1 else ", "2", ""), ("2 ^ ", "2", ""),
                                     ("sum(", "1", " for k in 0..2)"), ("1 + (", "1", ")"), ("(1, ", "2", ")")):
        text = "x = " + opening * deep + inside + closing * deep + "\nprint x\n"
        yield Case(f"{deep} levels of `{opening}`", text.encode(), (1,))
    for brackets in ("(", "[", "{", ")", "]", "}", "([{", "/*", "fn f(x: f32) -> f32 {\n", "x[t", '"', "x.", "a,", "if ", "0.."):
        yield Case(f"{deep} times `{brackets.strip()}` alone", ("x = " + brackets * deep).encode(), (1,))


def enormous():
    terms = 100_000
    yield Case(f"a sum of {terms} terms", ("x = " + " + ".join(["1"] * terms) + "\nprint x\n").encode(), (0, 1))
    yield Case(f"a list of {terms} numbers", ("x = sum([" + ", ".join(["1"] * terms) + "])\nprint x\n").encode(), (0, 1))
    yield Case(f"{terms} and", ("x = " + " and ".join(["true"] * terms) + "\nprint x\n").encode(), (0, 1))
    yield Case(f"an identifier of {terms} letters", ("a" * terms + " = 1\nprint " + "a" * terms + "\n").encode(), (0, 1))
    yield Case(f"a number of {terms} digits", ("x = " + "7" * terms + "\nprint x\n").encode(), (1,))
    yield Case(f"a float of {terms} digits", ("x = 0." + "7" * terms + "\nprint x\n").encode(), (0, 1))
    yield Case("a comment of 10 MB", b"# " + b"x" * 10_000_000 + b"\nx = 1\nprint x\n", (0, 1))
    yield Case("10 MB of lines", b"y = $\n" * 1_700_000, (1,))
    yield Case("10 MB without a line break", b"x = 1 + 1; " * 900_000, (1,))
    yield Case("20,000 equations", "".join(f"x{k} = {k}\n" for k in range(20_000)).encode() + b"print x7\n", (0, 1))
    yield Case("a chain of 3,000 equations", "".join(f"x{k + 1} = x{k} + 1\n" for k in range(3000)).encode() + b"x0 = 0\nprint x3000\n", (0, 1))
    yield Case("10,000 errors", "".join(f"x{k} = y{k}\n" for k in range(10_000)).encode(), (1,))
    yield Case("a huge shape", b"index t in 0..1000000000000\nx[t] = 1.0\nprint x[5]\n", (0, 1))
    yield Case("a range of more points than fit", b"param n = 9223372036854775807\nindex t in 0..n\nx[t] = 1.0\nprint x[5]\n", (0, 1, 2))
    yield Case("a tensor larger than memory", b"index a in 0..1000000\nindex b in 0..1000000\nindex c in 0..1000000\n"
               b"x[a, b, c] ~ Normal(0.0, 1.0)\nprint max(x[c, b, a] + x[a, c, b] for a, b, c)\n", (1, 3))
    # Its gradient's inverse reads are unions of many pieces, over which isl would think for minutes.
    yield Case("a gradient through gathers in many pieces", (Path(__file__).parent / "many_pieces.rl").read_bytes(), (0,))
    yield Case("doubling calls", "fn f0(x: f32) -> f32 = x + 1.0\n".encode()
               + "".join(f"fn f{k + 1}(x: f32) -> f32 = f{k}(x) + f{k}(f{k}(x))\n" for k in range(60)).encode() + b"y = f60(1.0)\nprint y\n", (1,))
    yield Case("a module that holds itself", b"module M(n: int) {\n  inner = M(n + 1)\n  apply(x: f32) -> f32 = inner(x)\n}\n"
               b"net = M(1)\nw = net.init()\nprint net(w, 1.0)\n", (1,))
    yield Case("a record that holds itself", b"record P { p: P }\nx = P(p = 1)\n", (1,))
    yield Case("params that need each other", b"param a = b\nparam b = a\nprint a\n", (1,))
    yield Case("an index that needs itself", b"index t in 0..t\nx[t] = 1\n", (1,))
    yield Case("a range that needs itself", b"index s in 0..9 until done\ndone = c[end(s)] > 1\nc[s] = 1\nprint c\n", (1,))


def encodings():
    yield Case("an empty file", b"", (0, 1))
    yield Case("only spaces", b"   \n\t\n  ", (0, 1))
    yield Case("no last line break", BASE.rstrip("\n").encode(), (0,))
    yield Case("CR LF line ends", BASE.replace("\n", "\r\n").encode(), (0,))
    yield Case("CR line ends", BASE.replace("\n", "\r").encode(), (0, 1))
    yield Case("a byte order mark", b"\xef\xbb\xbf" + BASE.encode(), (0, 1))
    yield Case("UTF-16", BASE.encode("utf-16"), (1,))
    yield Case("UTF-32", BASE.encode("utf-32"), (1,))
    yield Case("Latin-1", BASE.replace("x", "\u00e9").encode("latin-1"), (1,))
    yield Case("NUL bytes", BASE.replace("x", "\0").encode(), (1,))
    yield Case("a NUL byte at the end", BASE.encode() + b"\0", (0, 1))
    yield Case("a lone continuation byte", b"x = 1 \x80\nprint x\n", (1,))
    yield Case("overlong UTF-8", b"x = 1 \xc0\xaf\nprint x\n", (1,))
    yield Case("a surrogate", b"x = 1 \xed\xa0\x80\nprint x\n", (1,))
    yield Case("a truncated character at the end", b"x = 1 # \xe2\x82", (0, 1))
    yield Case("right-to-left marks", "x = 1 \u202e+ 2\nprint x\n".encode(), (0, 1))
    yield Case("look-alike digits and spaces", "x = \u0661\u00a0+ 1\nprint x\n".encode(), (0, 1))
    yield Case("an emoji as a name", "\U0001f600 = 1\nprint \U0001f600\n".encode(), (0, 1))
    yield Case("a combining name", "e\u0301 = 1\nprint e\u0301\n".encode(), (0, 1))
    yield Case("control characters", bytes(range(1, 32)) + BASE.encode(), (0, 1))


def command_lines():
    wrong = (2,)
    for setting in ("n", "n=", "=3", "n=many", "n=1.5", "n=99999999999999999999", "n=nan", "n=inf", "n=true", "n=[1]", "m=3", "n=0x", "n==3",
                    "n=3=4", "t=3", "x=3", "n=" + "9" * 10_000, "\u03b8=1", "n=\u0663", "n=1e400"):
        yield Case(f"--set {setting[:40]}", BASE.encode(), wrong, ("--set", setting))
    sized = b"param n = 3\nx = sum(k for k in 0..n)\na = [[0.0]]\nprint x\n"
    yield Case("a negative range", sized, (0, 2), ("n=-4",))
    for seed in ("-1", "x", "1.5", "", "99999999999999999999999"):
        yield Case(f"--seed {seed}", BASE.encode(), wrong, ("--seed", seed))
    for threads in ("0", "-1", "x", "1000000000000"):
        yield Case(f"--threads {threads}", BASE.encode(), wrong, ("--threads", threads))
    yield Case("an unknown device", BASE.encode(), wrong, ("--device", "abacus"))
    yield Case("an unknown option", BASE.encode(), wrong, ("--frobnicate",))
    yield Case("an unknown pass", BASE.encode(), wrong, ("--disable-pass=frobnicate",))
    yield Case("a missing configuration file", BASE.encode(), wrong, ("--config", "/nonexistent/x.toml"))
    yield Case("a binary configuration file", BASE.encode(), wrong, ("--config", "/bin/sh"))
    yield Case("two files", BASE.encode(), wrong, ("/etc/hostname",))
    yield Case("an unknown command", BASE.encode(), wrong, command=("frobnicate",))
    yield Case("no command", None, (0, 2), command=())
    yield Case("no file", None, wrong)
    yield Case("a missing file", None, (1, 2), ("/nonexistent/program.rl",), words="/nonexistent/program.rl")
    yield Case("a folder", None, (1, 2), ("/usr",), words="/usr")
    yield Case("an empty name", None, (1, 2), ("",))
    yield Case("a device file", None, (0, 1, 2), ("/dev/null",))
    yield Case("an endless file", None, (1, 2), ("/dev/zero",))
    yield Case("a name of 5000 letters", None, (1, 2), ("a" * 5000,))
    for text in ("", "1 +", "(", "x", "1 // 0", "[" * 5000, "9" * 5000):
        yield Case(f"eval {text[:20]!r}", None, (0, 1, 2, 3), (text,), command=("eval",))
    for code in ("E9999", "Exyz", "e", ""):
        yield Case(f"explain {code!r}", None, (1, 2), (code,), command=("explain",))
    yield Case("check of a right program", BASE.encode(), (0,), command=("check",))
    yield Case("check of a wrong program", b"x = y\n", (1,), command=("check",))


def all_cases(step, damaged_count):
    for group in (truncated(step), examples(97), damaged(damaged_count), noise(), nested(), enormous(), encodings(), command_lines()):
        yield from group


def check(case, options, folder, number):
    """None, or what went wrong."""
    files = []
    if case.data is not None:
        path = Path(folder) / f"case{number}.rl"
        path.write_bytes(case.data)
        files = [str(path)]
    device = ["--device", options.device] if case.command == ("run",) and "--device" not in case.args else []
    try:
        outcome = rlc.run([options.rlc, *case.command, *files, *case.args, *device], options.timeout)
    except ValueError as error:  # a NUL in an argument: no command line can have it
        return str(error)
    finally:
        for path in files:
            Path(path).unlink()
    crash = outcome.crash()
    if crash:
        return f"{crash}; stderr ends with: {outcome.stderr[-200:]!r}"
    if outcome.status not in case.statuses:
        return f"ended with status {outcome.status} instead of {case.statuses}; stderr: {outcome.stderr[:200]!r}"
    if outcome.status != 0 and not outcome.stderr.strip():
        return f"ended with status {outcome.status} and without a message"
    if outcome.status == 1 and case.command == ("run",) and case.data is not None and not outcome.diagnostics():
        return f"ended with status 1 and without a diagnostic: {outcome.stderr[:200]!r}"
    if len(outcome.stderr) > 2_000_000:
        return f"printed {len(outcome.stderr)} characters of messages"
    if case.words and case.words not in outcome.stderr:
        return f"did not mention {case.words}: {outcome.stderr[:200]!r}"
    return None


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=30.0)
    parser.add_argument("--step", type=int, default=7, help="truncate programs at every so many bytes (default: 7)")
    parser.add_argument("--damaged", type=int, default=200, help="how many damaged programs (default: 200)")
    parser.add_argument("--filter", default="", help="only cases whose name contains this")
    options = parser.parse_args(argv)
    options.rlc = str(Path(options.rlc).resolve())
    cases = [case for case in all_cases(options.step, options.damaged) if options.filter in case.name]
    if not cases:
        print("no case to run")
        return 1
    failed = 0
    with tempfile.TemporaryDirectory(prefix="rlc-robustness-") as folder:
        with ThreadPoolExecutor(max_workers=options.jobs) as pool:
            results = pool.map(lambda item: check(item[1], options, folder, item[0]), enumerate(cases))
            for case, problem in zip(cases, results):
                if problem:
                    failed += 1
                    print(f"FAILED {case.name}: {problem}", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
