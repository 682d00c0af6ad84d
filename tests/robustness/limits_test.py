#!/usr/bin/env python3
"""Too little memory, too few threads, a full disk: a clear message and its status, or a slower run; never a signal.

    limits_test.py --rlc build/release/rlc [--filter NAME]

Each function `test_...` is a test; it gets a scratch folder, which it runs in, and fails by an assertion.
"""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.functions import Skipped, run_functions
from support.programs import KEPT

RLC = ""
LEARNING = [str(ROOT / "examples" / "reinforce_cartpole.rl"), "iterations=1"]
WORDS = ("out of memory", "a thread could not be started")


def call(command, limits=(), user=None, **variables):
    def prepare():
        for which, most in ((resource.RLIMIT_CORE, 0), *limits):
            resource.setrlimit(which, (most, most))
        if user is not None:
            os.setgid(user)
            os.setuid(user)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("RLC_")}
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          env=environment | {"RLC_CACHE_DIR": os.path.abspath("cache"), **variables}, preexec_fn=prepare)


def within(bytes_, command):
    return call(command, [(resource.RLIMIT_AS, bytes_)])


def least_to_load(program):
    """The bytes of addresses from which on the system's loader finds room for a program and its libraries."""
    if within(4 << 30, [program, "--version"]).returncode != 0:
        raise Skipped("this build needs gigabytes of addresses")
    below, enough = 0, 4 << 30  # the loader says what it can't map, or the system ends the process before
    while enough - below > 256 << 10:
        middle = (below + enough) // 2
        done = within(middle, [program, "--version"])
        if done.returncode == 127 or (done.returncode < 0 and not loads(program, middle)):
            below = middle
        else:
            enough = middle
    return enough


def loads(program, bytes_):
    """Whether the loader came to an end."""
    return call([program, "--version"], [(resource.RLIMIT_AS, bytes_)], LD_DEBUG="files").stderr.find("transferring control") >= 0


def says_why(program, arguments, step, cold):
    """Under limits from the least with which the program begins to enough: how many runs failed."""
    limit, failed = least_to_load(program), 0
    while True:
        if cold:
            shutil.rmtree("cache", ignore_errors=True)
        done = within(limit, [program, *arguments])
        if done.returncode == 0:
            return failed
        assert done.returncode == 3 and any(word in done.stderr for word in WORDS), (limit >> 10, done.returncode, done.stderr[-500:])
        assert done.stderr.count("\n") == 1, (limit >> 10, done.stderr)
        assert limit < 4 << 30, "no limit is enough"
        failed += 1
        limit += step


def test_few_addresses_for_a_compilation_and_a_run():
    assert says_why(RLC, ["run", *LEARNING], 1500 << 10, cold=True) > 10


def test_few_addresses_for_many_threads():
    assert call([RLC, "run", *LEARNING]).returncode == 0
    assert says_why(RLC, ["run", *LEARNING, "--threads", "8"], 1500 << 10, cold=False) > 3


def test_few_addresses_for_other_commands():
    for command in (["check", LEARNING[0]], ["eval", "sum(1.0 / (k * k) for k in 1..1000)"], ["explain", "assembly", LEARNING[0]],
                    ["build", *LEARNING, "-o", "program"]):
        assert says_why(RLC, command, 5000 << 10, cold=True) > 0, command


def test_few_addresses_for_a_built_program():
    Path("long.rl").write_text(KEPT, encoding="utf-8")
    assert call([RLC, "build", "long.rl", "-o", "program"]).returncode == 0
    assert says_why(os.path.abspath("program"), ["--threads", "4"], 700 << 10, cold=False) > 3


def test_the_interpreter_asks_for_more_than_the_machine_has():
    """Which would be lent, and the process ended once it writes there."""
    Path("huge.rl").write_text("print 1\nx = zeros([100000, 100000])\nprint sum(x)\n", encoding="utf-8")
    done = call([RLC, "run", "huge.rl", "--device", "interp"])
    assert done.returncode == 3 and WORDS[0] in done.stderr, (done.returncode, done.stderr[-500:])
    assert done.stdout == "1 = 1\n", done.stdout


def test_few_threads():
    if os.geteuid() != 0:
        raise Skipped("the number of an unused user's threads is for root to limit")
    Path("kept.rl").write_text(KEPT, encoding="utf-8")
    Path(".").chmod(0o777)
    user = 54321  # who runs nothing else
    if call([RLC, "--version"], user=user).returncode != 0:
        raise Skipped("the program is not for other users to run")
    whole = call([RLC, "run", "kept.rl", "--threads", "8"], user=user)
    assert whole.returncode == 0, whole.stderr
    for most in range(1, 12):
        done = call([RLC, "run", "kept.rl", "--threads", "8"], [(resource.RLIMIT_NPROC, most)], user)
        if done.returncode == 0:
            assert done.stdout == whole.stdout
        else:
            assert done.returncode == 3 and WORDS[1] in done.stderr, (most, done.returncode, done.stderr[-500:])


def on_a_small_disk(command, kilobytes):
    """With its temporary files in a file system of that size."""
    Path("disk").mkdir(exist_ok=True)
    script = f'mount -t tmpfs -o size={kilobytes}k none disk && export TMPDIR=$PWD/disk && exec "$@"'
    unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    if call([*unshare, "sh", "-c", script, "sh", "true"]).returncode != 0:
        raise Skipped("no file system can be mounted here")
    return call([*unshare, "sh", "-c", script, "sh", *command])


def test_a_full_disk_under_a_memory_limit():
    Path("kept.rl").write_text(KEPT, encoding="utf-8")
    run = [RLC, "run", "kept.rl", "--memory-limit", "5M", "--device", "cpu"]
    whole = call(run)
    assert whole.returncode == 0, whole.stderr
    for kilobytes in (4, 1000):
        done = on_a_small_disk(run, kilobytes)
        assert done.returncode == 3 and done.stdout == "", (done.returncode, done.stderr)
        for words in ("needs a file of ", os.path.abspath("disk"), " free", "TMPDIR", "--memory-limit"):
            assert words in done.stderr, done.stderr
    assert on_a_small_disk(run, 20_000).stdout == whole.stdout
    assert call([RLC, "build", "kept.rl", "--memory-limit", "5M", "-o", "program"]).returncode == 0
    done = on_a_small_disk([os.path.abspath("program")], 1000)
    assert done.returncode == 3 and "needs a file of " in done.stderr and "TMPDIR" in done.stderr, (done.returncode, done.stderr)


if __name__ == "__main__":
    sys.exit(run_functions(sys.modules[__name__], sys.argv[1:], "limits"))
