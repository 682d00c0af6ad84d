#!/usr/bin/env python3
"""Conformance, learning and workloads on this machine's GPU, in one table. See gpu-check.sh."""

import argparse
import datetime
import json
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE if (HERE / "examples").is_dir() else HERE.parent

# example, params, the last report must reach
LEARNING = [
    ("reinforce_cartpole.rl", [], "episode return", 300.0),
    ("ppo_cartpole.rl", [], "episode return", 300.0),
]
# row, program, params, the param that is doubled to take the start off, units of work
WORKLOADS = [
    ("W1 ppo-trivial, base", "ppo_trivial.rl", {"iterations": 20}, "iterations", lambda p: p["iterations"] * 512 * 250),
    ("W3 reinforce", "reinforce.rl", {"iterations": 10}, "iterations", lambda p: p["iterations"] * 256 * 1000),
] + [
    (f"W5 rollout, {envs} environments", "rollout_cartpole.rl", {"envs": envs, "horizon": horizon}, "horizon", lambda p: p["envs"] * p["horizon"])
    for envs, horizon in ((1, 20000), (64, 20000), (1024, 20000), (65536, 2000), (1048576, 200))
]
PEERS = [("W5 rollout, 65536 environments", ["rollout_jax.py", "--envs", "65536", "--horizon", "2000"], "jax")]


class Table:
    def __init__(self):
        self.rows, self.failed = [], 0

    def add(self, name, result, passed=None):
        self.failed += passed is False
        mark = "" if passed is None else "passed" if passed else "FAILED"
        self.rows.append((name, result, mark))
        print(f"{name:44} {result:>28} {mark}", flush=True)


def output_of(command, timeout=3600):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=timeout)


def seconds(command, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        made = output_of(command)
        times.append(time.perf_counter() - start)
        if made.returncode != 0:
            raise RuntimeError(made.stderr.strip()[-300:])
    return statistics.median(times)


def describe(table):
    smi = shutil.which("nvidia-smi")
    if smi:
        made = output_of([smi, "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"])
        table.add("GPU", made.stdout.strip().splitlines()[0] if made.stdout.strip() else "nvidia-smi says nothing")
    table.add("date", datetime.date.today().isoformat())


def conformance(table, rlc, quick):
    command = [sys.executable, ROOT / "tests/run_conformance.py", "--rlc", rlc, "--device", "gpu", "--timeout", "120"]
    made = output_of(command + (["--filter", "^(04|06|07)"] if quick else []))
    last = made.stdout.strip().splitlines()[-1] if made.stdout.strip() else made.stderr.strip()[-200:]
    table.add("conformance", last, made.returncode == 0)


def learning(table, rlc, quick):
    for name, params, label, wanted in LEARNING:
        program = ROOT / "examples" / name
        if not program.exists():
            continue
        made = output_of([rlc, "run", program, *params, "--device", "gpu", "--json", "--quiet"])
        values = [row["value"] for row in map(json.loads, made.stdout.splitlines()) if row.get("label") == label]
        if made.returncode != 0 or not values:
            table.add(f"learning: {name}", made.stderr.strip()[-120:] or "no report", False)
            continue
        best = max(statistics.fmean(values[k : k + 10]) for k in range(max(1, len(values) - 9)))
        table.add(f"learning: {name}", f"{label} {best:.0f}, wanted {wanted:.0f}", best >= wanted)


def sanitizer(table, rlc):
    tool = shutil.which("compute-sanitizer")
    if not tool:
        table.add("compute-sanitizer", "not installed")
        return
    made = output_of([tool, "--error-exitcode", "9", rlc, "run", ROOT / "examples/reinforce_cartpole.rl", "iterations=2", "--device", "gpu"])
    table.add("compute-sanitizer", "clean" if made.returncode == 0 else f"status {made.returncode}", made.returncode == 0)


def workloads(table, rlc, repeats):
    for name, program, params, doubled, work in WORKLOADS:
        path = ROOT / "benchmarks/workloads" / program
        if not path.exists():
            continue

        def command(values):
            return [rlc, "run", path, *(f"{key}={value}" for key, value in values.items()), "--device", "gpu", "--quiet"]

        more = dict(params, **{doubled: 2 * params[doubled]})
        try:
            seconds(command(params), 1), seconds(command(more), 1)  # kernels into the cache
            spent = seconds(command(more), repeats) - seconds(command(params), repeats)
            extra = work(more) - work(params)
            table.add(name, f"{extra / spent:.3g} steps/s" if spent > 0 else "too short to tell")
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            table.add(name, str(error)[:120], False)


def peers(table):
    for name, command, module in PEERS:
        if output_of([sys.executable, "-c", f"import {module}"]).returncode != 0:
            table.add(f"{name}: {module}", "not installed")
            continue
        made = output_of([sys.executable, ROOT / "benchmarks/peers" / command[0], *command[1:]])
        rate = re.search(r'"rate": *([0-9.e+]+)', made.stdout)
        table.add(f"{name}: {module}", f"{float(rate[1]):.3g} steps/s" if rate else made.stderr.strip()[-80:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", default=None)
    parser.add_argument("--quick", action="store_true", help="a part of the conformance programs, one run of each workload")
    options = parser.parse_args()
    rlc = options.rlc or next((p for p in (ROOT / "rlc", ROOT / "build/release/rlc", ROOT / "build/ci/rlc") if p.exists()), None)
    if rlc is None:
        sys.exit("gpu-check: there is no rlc: ./build.sh build rlc makes one")
    probe = output_of([rlc, "eval", "1 + 1", "--device", "gpu"])
    if probe.returncode != 0:
        sys.exit(f"gpu-check: rlc can't use a GPU here:\n{probe.stderr}")
    table = Table()
    describe(table)
    conformance(table, rlc, options.quick)
    learning(table, rlc, options.quick)
    sanitizer(table, rlc)
    workloads(table, rlc, 1 if options.quick else 3)
    peers(table)
    print(f"\n{table.failed} failed" if table.failed else "\nall passed")
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
