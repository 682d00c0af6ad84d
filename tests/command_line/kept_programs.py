#!/usr/bin/env python3
"""What a run leaves on disk for the next: same output, in a fraction of the time; never what was true of other files, params or options.

    kept_programs.py --rlc build/release/rlc [--filter NAME]
"""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support.functions import run_functions

ROOT = Path(__file__).resolve().parent.parent.parent
RLC = ""
STEPS = "param n = 3\nparam rate: f32 = 0.5\nindex t in 0..n\nx[0] = 1.0\nx[t+1] = rate * x\n"


class Place:
    """A folder with programs, and a cache of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.cache = self.folder / "cache"
        self.cpu_seconds = 0.0

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return name

    def environment(self):
        return os.environ | {"RLC_CACHE_DIR": str(self.cache)}

    def run(self, *arguments, status=0, **more):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([RLC, "run", *arguments], cwd=more.pop("cwd", self.folder), capture_output=True, text=True, timeout=120, check=False,
                              env=self.environment(), **more)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu_seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        assert done.returncode == status, f"status {done.returncode}: {done.stderr[:500]}"
        return done

    def plans(self):
        return {path.name: path.read_bytes() for path in self.cache.glob("*.plan")}


def test_the_second_run_compiles_nothing(folder):
    place = Place(folder)
    program = str(ROOT / "examples" / "ppo_cartpole.rl")
    first = place.run(program, "total_timesteps=512", "--threads", "1")
    cold = place.cpu_seconds
    second = place.run(program, "total_timesteps=512", "--threads", "1")
    assert second.stdout == first.stdout and first.stdout.count("\n") > 1
    assert place.cpu_seconds < cold / 3, (place.cpu_seconds, cold)
    assert len(place.plans()) == 1


def test_params_seeds_and_options_are_told_apart(folder):
    place = Place(folder)
    program = place.write("a.rl", STEPS + "y ~ Uniform(0.0, 1.0)\nprint x[n-1] + y * 0.001\n")
    runs = [(), ("n=2",), ("rate=0.25",), ("--seed", "7"), ("--seeds", "0..3"), ("--vector-width", "4")]
    fresh = [place.run(program, *run).stdout for run in runs]
    assert [place.run(program, *run).stdout for run in runs] == fresh
    assert len(set(fresh)) == len(runs) - 1, fresh  # a width changes no result
    assert len(place.plans()) == len(runs) - 1  # a seed is no part of the code


def test_changed_files_are_compiled_again(folder):
    place = Place(folder)
    place.write("helpers.rl", "fn scale(x: f32) -> f32 = 2.0 * x\n")
    program = place.write("a.rl", "use .helpers.scale\nprint scale(3.0)\n")
    for _ in range(2):
        assert place.run(program).stdout.endswith("6.0\n")
    place.write("helpers.rl", "fn scale(x: f32) -> f32 = 4.0 * x\n")
    for _ in range(2):
        assert place.run(program).stdout.endswith("12.0\n")
    place.write("a.rl", "use .helpers.scale\nprint scale(5.0)\n")
    assert place.run(program).stdout.endswith("20.0\n")
    (place.folder / "helpers.rl").unlink()
    assert "helpers" in place.run(program, status=1).stderr


def test_a_file_that_comes_to_be_first(folder):
    """`parts.rl` is looked at before `parts/scale.rl`."""
    place = Place(folder)
    place.write("parts/scale.rl", "fn scale(x: f32) -> f32 = 2.0 * x\n")
    program = place.write("a.rl", "use .parts.scale\nprint scale(3.0)\n")
    for _ in range(2):
        assert place.run(program).stdout.endswith("6.0\n")
    place.write("parts.rl", "fn scale(x: f32) -> f32 = 7.0 * x\n")
    assert place.run(program).stdout.endswith("21.0\n")


def test_the_same_name_in_two_folders(folder):
    place = Place(folder)
    for number in (1, 2, 1, 2):
        place.write(f"{number}/a.rl", f"print {number}.5\n")
        assert place.run("a.rl", cwd=place.folder / str(number)).stdout.endswith(f"{number}.5\n")
    assert len(place.plans()) == 2


def test_streams_are_read_once(folder):
    """Programs and configurations as a shell's <(...) gives them."""
    place = Place(folder)
    program = place.write("a.rl", STEPS + "print x[n-1]\n")

    def streamed(text, *arguments):
        reader, writer = os.pipe()
        os.write(writer, text.encode())
        os.close(writer)
        try:
            return place.run(*(f"/dev/fd/{reader}" if argument == "-" else argument for argument in arguments), pass_fds=[reader]).stdout
        finally:
            os.close(reader)

    for number in (1, 2):
        assert streamed(f"print {number}.5\n", "-").endswith(f"{number}.5\n")
    assert not place.plans()
    for _ in range(2):
        assert streamed("rate = 0.25\n", program, "--config", "-").endswith("0.0625\n")


def test_names_of_any_bytes(folder):
    """In which no two are taken for one."""
    place = Place(folder)
    for _ in range(2):
        for number, name in enumerate((b"\xe8", b"\xe9")):
            (place.folder / os.fsdecode(name) / "parts").mkdir(parents=True, exist_ok=True)
            place.write(os.fsdecode(name + b"/parts/scale.rl"), f"fn scale(x: f32) -> f32 = {number}.5 * x\n")
            program = place.write(os.fsdecode(name + b"/a.rl"), "use .parts.scale\nprint scale(1.0)\n")
            assert place.run(program).stdout.endswith(f"{number}.5\n")
    assert len(place.plans()) == 2


def test_warnings_are_said_each_time(folder):
    place = Place(folder)
    program = place.write("a.rl", "index t in 0..4\nunused[t] = 1.0\nx[t] = 2.0 * f32(t)\nprint x[3]\n")
    said = [place.run(program).stderr for _ in range(2)]
    assert said[0] == said[1], said
    assert (not place.plans()) == bool(said[0]), said


def test_faults_say_the_same(folder):
    place = Place(folder)
    program = place.write("a.rl", "index t in 0..9\nd[t] = 5 - t\nq[t] = 10 // d\nreport \"q\" = q each 1 t\n")
    runs = [place.run(program, status=3) for _ in range(2)]
    assert place.plans()
    assert runs[0].stdout == runs[1].stdout and runs[0].stderr == runs[1].stderr
    assert "t = 5" in runs[0].stderr and "a.rl:3" in runs[0].stderr, runs[0].stderr


def test_the_first_nan_is_found(folder):
    place = Place(folder)
    program = place.write("a.rl", "index t in 0..9\nd[t] = 5.0 - f32(t)\nq[t] = sqrt(d)\nreport \"q\" = q each 1 t\n")
    said = [place.run(program).stderr for _ in range(2)]
    assert place.plans()
    assert said[0] == said[1] and "first NaN" in said[0] and "t = 6" in said[0], said


def interrupted(place, *arguments, meanwhile=lambda: None):
    """A run that is told to end in the middle, which has not saved `late`: what it has as `early`."""
    with subprocess.Popen([RLC, "run", *arguments], cwd=place.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=place.environment()) as process:
        assert [process.stdout.readline().split("]")[0] for _ in range(2)] == ["level[i=0", "level[i=100000"]
        meanwhile()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130, (process.returncode, said)
    assert place.plans()
    assert not (place.folder / "late.rlc").exists()
    early = place.folder / "early.rlc"
    return early.rename(place.folder / "early").read_bytes() if early.exists() else None


LONG = ("param n = 3\nindex i in 0..n\nx[0] = 0.0\nx[i+1] = 0.999 * x + 1.0\n"
        "report \"level\" = x each 100000 i\nsave x[3] as \"early\"\nsave x[n] as \"late\"\n")


def test_an_interrupt_saves_what_was_complete(folder):
    """Which the plan alone does not tell."""
    place = Place(folder)
    program = place.write("a.rl", LONG)
    first, second = [interrupted(place, program, "n=1000000000") for _ in range(2)]
    assert first is not None and first == second


def test_an_interrupt_saves_of_the_program_that_runs(folder):
    """Whatever its files say by then."""
    place = Place(folder)
    config = place.write("a.toml", "n = 1000000000\n")
    program = place.write("a.rl", LONG)

    def change():
        place.write("a.toml", "n = 3\n")
        place.write("a.rl", LONG.replace("save x[3]", "save x[4]"))

    first = interrupted(place, program, "--config", config)
    second = interrupted(place, program, "--config", config, meanwhile=change)
    assert first is not None and first == second


def test_an_interrupt_saves_nothing_of_another_program(folder):
    """Which it has become by a file that is found first since."""
    place = Place(folder)
    place.write("parts/last.rl", "fn last(n: i32) -> i32 = n\n")
    program = place.write("a.rl", "use .parts.last\n" + LONG.replace("x[n]", "x[last(n)]"))
    assert interrupted(place, program, "n=1000000000") is not None
    other = ["parts.rl", "fn last(n: i32) -> i32 = 3\n"]
    assert interrupted(place, program, "n=1000000000", meanwhile=lambda: place.write(*other)) is None


def test_damaged_and_missing_entries(folder):
    place = Place(folder)
    program = place.write("a.rl", STEPS + "print x[n-1]\n")
    expected = place.run(program).stdout
    kept = {path: path.read_bytes() for path in place.cache.iterdir() if path.suffix in (".plan", ".o")}
    assert len(kept) == 2, kept
    for path, content in kept.items():
        for damage in (b"", content[: len(content) // 2], content[:-3] + b"\xff\xff\xff"):
            path.write_bytes(damage)
            assert place.run(program).stdout == expected
            assert path.read_bytes() == content
        path.unlink()
        assert place.run(program).stdout == expected
        assert path.read_bytes() == content


if __name__ == "__main__":
    sys.exit(run_functions(sys.modules[__name__], sys.argv[1:], "kept programs"))
