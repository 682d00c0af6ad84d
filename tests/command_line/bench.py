#!/usr/bin/env python3
"""`rlc bench`: its kinds and rows, peers, and what `bench learning` keeps.

    bench.py --rlc build/release/rlc [--filter NAME]
"""

import json
import os
import re
import resource
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support.command import DECAY, run, says, write
from support.functions import run_functions

RLC = ""


def test_bench(folder):
    done = says(run("bench", "machine", "--json", "--threads", "1"), 0)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    pairs = ["fma of pairs of bf16"] if "avx512_bf16" in Path("/proc/cpuinfo").read_text() else []
    assert [row["limit"] for row in rows] == ["fma f32", *pairs, "memory read"] and all(row["one"] > 0 for row in rows), rows
    says(run("bench", "machin"), 2, "did you mean `machine`")
    says(run("bench", "--repeats", "0"), 2, "--repeats")
    says(run("bench", "workloads", "--programs", folder), 2, "workloads.json")
    write(folder, "decay.rl", DECAY)
    write(folder, "workloads.json", '[{"title": "T", "unit": "points/s", "rows": [{"name": "decay", "program": "decay.rl", "set": ["n=9"], "work": "n + 1"}]}]')
    row = json.loads(says(run("bench", "workloads", "--programs", folder, "--json", "--repeats", "1"), 0).stdout)
    assert row["workload"] == "decay" and abs(row["units_per_second"] * row["seconds"] - 10) < 1e-6 and row["flops"] > 0, row
    assert row["memory_bytes"] > 0 and row["runs"] == 1 and row["least_seconds"] == row["seconds"] == row["most_seconds"], row


def test_bench_has_medians_of_three_runs_at_least(folder):
    write(folder, "long.rl", "param n = 300000000\nindex t in 0..n\nx[0] = 0.0\nx[t+1] = 0.999 * x + 1.0\nreport \"last\" = x[n]\n")
    rows = [{"name": "long", "program": "long.rl", "work": "n"}]
    write(folder, "workloads.json", json.dumps([{"title": "T", "unit": "steps/s", "rows": rows}]))
    row = json.loads(says(run("bench", "workloads", "--programs", folder, "--json", "--threads", "1", "--seconds", "1"), 0).stdout)
    assert row["runs"] >= 3 and row["least_seconds"] <= row["seconds"] <= row["most_seconds"] and "runs)" in row["a run"], row


def test_bench_memory_is_the_arena_and_the_scratch_of_all_threads(folder):
    """A batch's gradient, whose parts each thread adds up in memory of its own."""
    write(folder, "parts.rl", """param n = 4096
index b in 0..n
index k in 0..4
w[0] = zeros(100, 100)
x[b] ~ Normal(zeros(100), 1.0)
loss = mean(sum((w @ x - x)^2) for b)
w[k+1] = w - 0.1 * grad(loss, w)
report "loss" = loss[3]
""")
    rows = [{"name": "parts", "program": "parts.rl", "work": "n"}]
    write(folder, "workloads.json", json.dumps([{"title": "T", "unit": "samples/s", "rows": rows}]))
    row = json.loads(says(run("bench", "workloads", "--programs", folder, "--json", "--threads", "2", "--repeats", "1"), 0).stdout.splitlines()[0])
    text = says(run("explain", "memory", str(Path(folder) / "parts.rl")), 0).stdout
    arena, thread, both = (int(re.search(words + r": (\d+) bytes", text)[1]) for words in ("arena", "scratch of a thread", "of all"))
    assert thread + both > 0, text
    assert row["memory_bytes"] == arena + 2 * thread + both, (row, text)


def test_bench_refuses_workloads_whose_numbers_overflow(folder):
    write(folder, "grows.rl", "index t in 0..200\nx[0] = 1.0\nx[t+1] = 10.0 * x\nreport \"last\" = x[200]\n")
    write(folder, "workloads.json", '[{"title": "T", "unit": "steps/s", "rows": [{"name": "grows", "program": "grows.rl", "work": "200"}]}]')
    says(run("bench", "workloads", "--programs", folder), 2, "`grows`", "no finite numbers", "`last`")


def test_bench_compares_sizes(folder):
    write(folder, "decay.rl", DECAY)
    rows = [{"name": name, "program": "decay.rl", "set": [f"n={n}"], "work": "n"} | more
            for name, n, more in (("eight", 8, {}), ("seven", 7, {"beside": "eight", "most": 2}))]
    write(folder, "workloads.json", json.dumps([{"title": "T", "unit": "steps/s", "rows": rows}]))
    found = [json.loads(line) for line in says(run("bench", "workloads", "--programs", folder, "--json", "--threads", "1"), 0).stdout.splitlines()]
    assert [row["workload"] for row in found] == ["eight", "seven"] and "ratio" not in found[0], found
    assert found[1]["ratio"] > 0 and found[1]["beside"] == "eight" and found[1]["aim"] == 2, found


def test_bench_runs_peers(folder):
    """A peer that is here, one that fails, one that takes too long, two that are not here, and a rate that was published."""
    workloads = Path(folder) / "benchmarks/workloads"
    workloads.mkdir(parents=True)
    write(folder, "benchmarks/workloads/decay.rl", DECAY)
    peers = [{"run": ["good_torch.py", "--n", "9"], "aim": 3, "memory": 0.25}, {"run": ["bad_torch.py"]}, {"run": ["slow_torch.py"]},
             {"run": ["any_jax.py"]}, {"run": ["other_jax.py"], "aim": 5}, {"published": "an abacus", "rate": 2.0, "aim": 1}]
    row = {"name": "decay", "program": "decay.rl", "set": ["n=9"], "work": "n + 1", "peers": peers}
    write(folder, "benchmarks/workloads/workloads.json", json.dumps([{"title": "T", "unit": "points/s", "rows": [row]}]))
    python = Path(write(folder, "python", """#!/bin/sh
case "$*" in
  *import*jax*) exit 1 ;;
  *import*torch*) ;;
  *good_torch.py*--n*9*--threads*1*) echo '{"rate": 0.5, "seconds": 4, "version": "PyTorch 9", "bytes": 1048576}' ;;
  *slow_torch.py*) exec /bin/sleep 60 ;;
  *) exit 3 ;;
esac
"""))
    python.chmod(0o755)
    asked = ("bench", "peers", "--programs", str(workloads), "--threads", "1", "--repeats", "1", "--seconds", "1")
    env = {**os.environ, "RLC_PEER_PYTHON": str(python), "PATH": folder}
    done = says(run(*asked, env=env), 0)
    assert "Not here, so not measured: JAX." in done.stdout, done.stdout
    rows = [line for line in done.stdout.splitlines() if line.startswith("| decay")]
    assert len(rows) == 5 and "PyTorch" in rows[0] and "1.00 MiB" in rows[0] and "at least 3.0x" in rows[0] and "at most 0.25x" in rows[0], rows
    assert "failed" in rows[1] and "not within 1.0 s" in rows[2], rows
    assert "| JAX |" in rows[3] and "not measured" in rows[3] and "at least 5.0x" in rows[3], rows
    assert "published: an abacus" in rows[4] and "2.00 points/s" in rows[4] and "at least 1.0x" in rows[4], rows
    asked = (*asked[:-4], "--repeats", "3", *asked[-2:])
    good = json.loads(run(*asked, "--json", env=env).stdout.splitlines()[0])
    assert good["turns"] == 3 and good["least_ratio"] <= good["ratio"] <= good["most_ratio"] and good["memory_ratio"] > 0, good
    assert good["theirs"] == 0.5 and abs(good["ratio"] - good["ours"] / 0.5) < 1e-3 * good["ratio"], good


def test_learning_goes_on_where_it_was(folder):
    for name in ("benchmarks/workloads", "examples"):
        (Path(folder) / name).mkdir(parents=True)
    program = "index i in 0..20\nx[i] ~ Normal(0, 1)\nreport \"mean return\" = x[i] each 1 i\n"
    write(folder, "examples/luck.rl", program)
    row = {"name": "luck", "environment": "E", "algorithm": "A", "program": "luck.rl", "metric": "mean return", "short": {"accept": -9}}
    write(folder, "benchmarks/learning.json", json.dumps([row]))
    train = ("bench", "learning", "--programs", str(Path(folder) / "benchmarks/workloads"), "--threads", "1")
    kept = Path(folder) / "docs/learning/luck.csv"
    # Without gnuplot that is said before anything is trained.
    says(run(*train, "--seeds", "2", env={**os.environ, "PATH": folder}), 2, "gnuplot is not installed")
    assert not kept.exists()
    gnuplot = Path(write(folder, "gnuplot", "#!/bin/sh\nfile=$(sed -n \"s/^set output '\\(.*\\)'$/\\1/p\")\n[ -z \"$file\" ] || echo '<svg/>' > \"$file\"\n"))
    gnuplot.chmod(0o755)
    env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}

    def seeds(*options):
        says(run(*train, *options, env=env), 0)
        return {line.split(",")[0]: line for line in kept.read_text().splitlines() if line[0].isdigit()}

    first = seeds("--seeds", "2")
    more = seeds("--seeds", "5", "--add", "--together", "2")
    assert sorted(more) == ["0", "1", "2", "3", "4"] and all(more[seed] == first[seed] for seed in first), more
    assert kept.read_text().count("rlc run") == 3, kept.read_text()  # 0..2, 2..4, 4..5
    assert more == seeds("--seeds", "5")
    # What can't be written whole leaves what was there.
    before = kept.read_bytes()

    def nearly_full():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, len(before) + 10))

    says(run(*train, "--seeds", "6", "--add", preexec_fn=nearly_full, env=env), 2, "can't write")
    assert kept.read_bytes() == before
    write(folder, "benchmarks/learning.json", json.dumps([row | {"set": ["other=1"]}]))
    says(run(*train, "--seeds", "6", "--add", env=env), 2, "without --add it is measured anew")


def test_learning_can_be_too_good(folder):
    for name in ("benchmarks/workloads", "examples"):
        (Path(folder) / name).mkdir(parents=True)
    write(folder, "examples/three.rl", "index i in 0..20\nx[i] = 3.0\nreport \"episode return\" = x[i] each 1 i\n")

    def short(accept, status, said):
        row = {"name": "three", "environment": "E", "algorithm": "A", "program": "three.rl", "short": {"accept": accept}}
        write(folder, "benchmarks/learning.json", json.dumps([row]))
        done = run("bench", "learning", "--short", "--programs", str(Path(folder) / "benchmarks/workloads"))
        assert done.returncode == status and said in done.stdout, (done.stdout, done.stderr)

    short(2, 0, "3.000, accepted >= 2")
    short([2, 4], 0, "3.000, accepted 2 to 4")
    short([1, 2.5], 1, "FAILED three: 3.000, accepted 1 to 2.5")
    short(4, 1, "FAILED three")
    short([1, "most"], 2, "")


def test_the_workloads_are_right_programs(folder):
    workloads = Path(__file__).resolve().parents[2] / "benchmarks" / "workloads"
    seen = {row["program"] for table in json.loads((workloads / "workloads.json").read_text()) for row in table["rows"]}
    assert seen
    for program in sorted(seen):
        says(run("check", str(workloads / program)), 0)


if __name__ == "__main__":
    sys.exit(run_functions(sys.modules[__name__], sys.argv[1:], "bench"))
