#!/usr/bin/env python3
"""Programs that `rlc build` makes: the output of `rlc run` bit for bit, without LLVM, and what they say to mistakes.

    build_test.py --rlc build/release/rlc [--filter NAME]

Each function `test_...` is a test; it gets a scratch folder, which it runs in, and fails by an assertion.
"""

import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.functions import Skipped, run_functions

CONFORMANCE = ROOT / "tests" / "conformance"
DECAY = """param n = 5
## what is left of it
param rate: f32 = 0.5
param base: f32 = 0.25
param twice = 2.0 * base
index t in 0..n
x[0] = 1.0
x[t+1] = rate * x[t]
noise[t] ~ Normal(0.0, twice)
print x
print "sum", sum(noise[t] for t)
report "noisy" = x[t] + noise[t]
save x[n] as "last"
"""
FAULTY = "param zero = 0\nindex t in 0..4\nx[t] = 12 // (t - 2 + zero)\nreport \"x\" = x[t]\n"
LONG = ("param iterations = 2000000000\nindex i in 0..iterations\nx[0] = 0.0\nx[i+1] = 0.999 * x + 1.0\nsave x as \"state\" each 1000 i\n"
        "report \"level\" = x each 100000 i\n")
RLC = ""


def call(*command, **more):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=120, check=False, **more)


def write(name, text):
    Path(name).write_text(text, encoding="utf-8")
    return name


def build(file, *arguments):
    done = call(RLC, "build", file, "-o", "program", *arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return Path("program").resolve()


def says(done, status, *words):
    assert done.returncode == status, f"status {done.returncode}, not {status}: {done.stderr[:500]}"
    for word in words:
        assert word in done.stderr, f"stderr lacks {word!r}: {done.stderr[:500]}"


def same(program, file, built=(), asked=()):
    """What the program writes is what rlc run writes, everywhere."""
    here, there = Path("here"), Path("there")
    results = []
    for folder, command in ((here, [program, *asked]), (there, [RLC, "run", Path(file).resolve(), "--device", "cpu", *built, *asked])):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        done = call(*command, cwd=folder)
        results.append((done.returncode, done.stdout, done.stderr, {path.name: path.read_bytes() for path in folder.iterdir()}))
    assert results[0] == results[1], f"{results[0]}\nis not\n{results[1]}"
    return results[0]


def test_the_same_results_and_checkpoints_for_seeds_threads_and_params():
    file = write("decay.rl", DECAY)
    program = build(file)
    status, text, _, files = same(program, file)
    assert status == 0 and "x[t=5] = 0.03125\n" in text and list(files) == ["last.rlc"], (status, text, list(files))
    for asked in (["--seed", "7"], ["--threads", "1"], ["--threads", "3"], ["rate=0.3"], ["--set", "rate=0.1"], ["--json"], ["rate=1e-2"]):
        assert same(program, file, asked=asked)[1] != (text if "--threads" not in asked else "")
    assert same(program, file, asked=["--config", os.path.abspath(write("values.toml", "rate = 0.75\n"))])[1] != text


def test_settings_that_are_part_of_the_code():
    file = write("decay.rl", DECAY)
    same(build(file, "n=7", "base=0.5"), file, built=["n=7", "base=0.5"])
    program = build(file, "--seeds", "0..3")
    same(program, file, built=["--seeds", "0..3"])
    says(call(program, "n=3"), 2, "`n` is part of this program's code", "rlc build decay.rl n=3")
    says(call(program, "base=1.0"), 2, "`base` is part of this program's code")  # `twice` was computed from it


def test_params_wherever_they_are_used():
    file = write("params.rl", """param b: f64 = 0.7
param g = 0.9
param h: f32 = 0.2
index t in 0..6
z[0] = 1.0
z[t+1] = g * z[t] + h
s[t] = sum(g^(k-t) * z[k] for k in t..6)
y[t] = bf16(g) * min(z[t], h) + h^2 + max(g, z[t]) - sqrt(h)
v[t] ~ Normal(h, g)
u[t] ~ Bernoulli(h)
print s
print y
print v
print u
print "constant", h * 2.0 + g / 4.0 - 1.0 / g + f32(b)
""")
    program = build(file)
    for asked in (["h=0.9"], ["b=0.1", "g=0.45"], ["g=0.25", "h=0.31"], ["g=3"], ["h=1", "g=1"]):
        assert same(program, file, asked=asked)[0] == 0
    says(call(program, "h=-1"), 3, "it is required that", "hint: ")  # it held for the value that the program was built with


def test_mistakes_on_the_programs_command_line():
    program = build(write("decay.rl", DECAY))
    says(call(program, "rat=1.0"), 2, "no param `rat`", "did you mean `rate`?")
    says(call(program, "rate=fast"), 2, "`rate` takes a number, not `fast`")
    says(call(program, "rate"), 2, "name=value")
    says(call(program, "--seed", "-1"), 2, "--seed takes an integer")
    says(call(program, "--threads", "0"), 2, "--threads takes an integer")
    says(call(program, "--steps"), 2, "--steps")
    shown = call(program, "--help")
    assert shown.returncode == 0 and "rate: f32 = 0.5" in shown.stdout and "what is left of it" in shown.stdout, shown.stdout
    assert call(program, "--version").stdout.startswith("decay.rl, built by rlc ")


def test_no_compiler_is_needed():
    program = build(write("decay.rl", DECAY))
    if not emulated():  # ldd lists this machine's programs only
        listed = call("ldd", program)
        assert listed.returncode == 0 and not re.search(r"LLVM|clang|isl|antlr|gmp", listed.stdout), listed.stdout
    with tempfile.TemporaryDirectory() as empty:  # nothing of rlc to be found
        assert call(program, env=only(empty)).returncode == 0


def test_a_fault_has_its_place_in_the_source():
    file = write("faulty.rl", FAULTY)
    program = build(file)
    Path(file).rename("moved.rl")
    done = call(program)
    says(done, 3, "faulty.rl:3:", "x[t] = 12 // (t - 2 + zero)", "t = 2")


def test_conformance_programs():
    programs = sorted(CONFORMANCE.glob("*.rl"))
    plain = [path for path in programs if not re.search(r"^# (error|warning|args|fault|usage):", path.read_text(), re.MULTILINE)]
    for path in plain[::40] + [path for path in programs if "until" in path.name or "save" in path.name][:6]:
        if not re.search(r"^# (error|args):", path.read_text(), re.MULTILINE):
            same(build(path), path)


def test_a_learning_program():
    file = ROOT / "examples" / "reinforce_cartpole.rl"
    same(build(file, "iterations=3"), file, built=["iterations=3"])


def test_a_baseline_processor():
    file = write("decay.rl", DECAY)
    program = build(file, "--target-cpu", "baseline")
    assert call(program).returncode == 0
    says(call(RLC, "build", file, "--target-cpu", "abacus"), 2, "no processor `abacus`", "baseline")


def machine():
    """What rlc is a program for, as uname calls it."""
    with open(RLC, "rb") as file:
        return {62: "x86_64", 183: "aarch64"}.get(int.from_bytes(file.read(20)[18:], "little"), "another")


def emulated():
    """On another machine programs run by qemu (scripts/aarch64-test.sh), which has all instructions that QEMU_CPU doesn't deny."""
    return machine() != os.uname().machine


def only(folder):
    """An environment in which nothing but `folder` is known; an emulator's own root is."""
    return {"PATH": folder, "HOME": folder} | {name: value for name, value in os.environ.items() if name == "QEMU_LD_PREFIX"}


def has(feature):
    """Whether this processor has what the system's list of its features calls so."""
    if emulated():
        return True
    flags = re.search(r"^(?:flags|Features)\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1]
    return feature in flags.split()


# Targets, what each needs by the system's names, and the lanes of its blocks.
TARGETS = {
    "x86_64": (("baseline", "sse2", 8), ("x86-64-v3", "avx2", 16), ("x86-64-v4", "avx512vl", 32)),
    "aarch64": (("baseline", "asimd", 8), ("neoverse-n1", "asimddp", 8), ("neoverse-v1", "sve", 8)),
}


def test_processors_compute_what_a_run_with_their_lanes_computes():
    """Lanes of a block decide in which order sums are added up; the instructions decide nothing."""
    file = ROOT / "examples" / "reinforce_cartpole.rl"
    if machine() not in TARGETS:
        raise Skipped("neither x86-64 nor aarch64")
    for target, needs, lanes in TARGETS[machine()]:
        if not has(needs):
            print(f"not run: {target} on a processor without {needs}")
            continue
        status, text, _, _ = same(build(file, "iterations=5", "--target-cpu", target), file, built=["iterations=5", "--vector-width", str(lanes)])
        assert status == 0 and "return" in text, text


# Targets and a feature of each, by the system's name and by LLVM's.
NEWER = {
    "x86_64": (("x86-64-v3", "avx2", "avx2"), ("x86-64-v4", "avx512f", "avx512f"), ("sapphirerapids", "avx512_fp16", "avx512fp16")),
    "aarch64": (("neoverse-n1", "asimddp", "dotprod"), ("neoverse-v1", "sve", "sve"), ("neoverse-v2", "sve2", "sve2")),
}


def test_a_processor_that_lacks_instructions():
    lacking = [each for each in NEWER.get(machine(), ()) if emulated() or not has(each[1])]
    if not lacking:
        raise Skipped("this processor has whatever is asked for")
    for target, _, feature in lacking:
        program = build(write("decay.rl", DECAY), "--target-cpu", target)
        says(call(program, env=dict(os.environ, QEMU_CPU="cortex-a53")), 3, feature, "--target-cpu baseline")


def test_a_run_is_stopped_and_saves():
    program = build(write("long.rl", LONG))
    with subprocess.Popen([program], stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130 and Path("state.rlc").exists(), process.returncode


def test_what_rlc_build_refuses():
    file = write("decay.rl", DECAY)
    says(call(RLC, "build", "missing.rl"), 1, "missing.rl")
    says(call(RLC, "build", write("wrong.rl", "x = y\n")), 1, "wrong.rl:1:5")
    says(call(RLC, "build", write("program", DECAY)), 2, "-o NAME")
    says(call(RLC, "build", file, "-o", "no/such/folder/program"), 2, "could not link")
    says(call(RLC, "build", file, "--linker", "no-such-linker"), 2, "no-such-linker")
    says(call(RLC, "build", file, "--target-cpu", "pentium3" if platform.machine() == "x86_64" else "x"), 2, "there is no processor")
    with tempfile.TemporaryDirectory() as empty:
        says(call(RLC, "build", file, env=only(empty)), 2, "install g++")
    says(call(RLC, "build", file, "--linker", write_linker()), 2, "could not link", "it is broken")
    assert not list(Path(".").glob("*.unfinished"))


def write_linker():
    path = Path("broken-linker").resolve()
    path.write_text("#!/bin/sh\necho it is broken >&2\nexit 1\n")
    path.chmod(0o755)
    return path


if __name__ == "__main__":
    sys.exit(run_functions(sys.modules[__name__], sys.argv[1:], "build"))
