#!/usr/bin/env python3
"""Conformance, learning and workloads on this machine's GPU, in one table: see gpu-check.sh. Status 1: something was wrong; 3: there is no
GPU, and the table says so."""

import argparse
import datetime
import json
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE if (HERE / "examples").is_dir() else HERE.parent

# Of benchmarks/learning.json, with --quick and with --tiny; all of them otherwise.
QUICK_LEARNING = ("cartpole_a2c", "cartpole_dqn", "pendulum_analytic", "catch_ppo", "lock_recurrent_ppo", "grid_q_learning")
TINY_LEARNING = ("grid_q_learning",)
TINY_SANITIZED = ("reinforce_cartpole.rl", "value_iteration.rl")
EIGHTH = ", in 1/8 of the memory"  # with --tiny in 3/4: weights are most of it then
# row, program, params, the param that is doubled to take the start off (and made eight times as much until that makes a difference), units of work
TRIVIAL = "benchmarks/workloads/ppo_trivial.rl"
WORKLOADS = [
    ("W1 ppo-trivial, base", TRIVIAL, {"iterations": 20}, "iterations", lambda p: p["iterations"] * 512 * 250),
    ("W2 ppo-large-obs, 3x32x32", TRIVIAL, {"iterations": 2, "envs": 256, "steps": 1000, "pixels": 3072}, "iterations", lambda p: p["iterations"] * 256 * 1000),
    ("W2 ppo-large-obs, 3x32x32" + EIGHTH, TRIVIAL, {"iterations": 2, "envs": 256, "steps": 1000, "pixels": 3072}, "iterations",
     lambda p: p["iterations"] * 256 * 1000),
    ("W3 reinforce", "benchmarks/workloads/reinforce.rl", {"iterations": 10}, "iterations", lambda p: p["iterations"] * 256 * 1000),
] + [
    (f"W4 ppo-cartpole, {envs} environments", "examples/ppo_cartpole.rl", {"num_envs": envs, "total_timesteps": envs * 128 * 8}, "total_timesteps", lambda p: p["total_timesteps"])
    for envs in (4, 1024, 65536)
] + [
    (f"W5 rollout, {envs} environments", "benchmarks/workloads/rollout_cartpole.rl", {"envs": envs, "horizon": horizon}, "horizon", lambda p: p["envs"] * p["horizon"])
    for envs, horizon in ((1, 20000), (64, 20000), (1024, 20000), (65536, 2000), (1048576, 200))
] + [
    (f"W5 a launch a step, {envs} environments", "benchmarks/workloads/rollout_cartpole_steps.rl", {"envs": envs, "horizon": horizon}, "horizon",
     lambda p: p["envs"] * p["horizon"])
    for envs, horizon in ((1, 5000), (64, 5000), (1024, 5000), (65536, 2000), (1048576, 200))
] + [
    ("W6 sum tree, capacity 1000000", "benchmarks/workloads/sum_tree.rl", {"steps": 20000}, "steps", lambda p: p["steps"] * 256),
    ("W6 dqn-per, capacity 1000000", "examples/dqn_cartpole.rl",
     {"total_timesteps": 20000, "learning_starts": 1000, "prioritized": "true", "buffer_size": 1000000}, "total_timesteps", lambda p: p["total_timesteps"]),
]
# row, program of benchmarks/peers without what it is written in, its options; PyTorch, which starts each operation by itself, does less
PEERS = [
    ("W1 ppo-trivial, base", "ppo_trivial", {"iterations": 20, "envs": 512, "steps": 250}, {"iterations": 2}),
    ("W2 ppo-large-obs, 3x32x32", "ppo_trivial", {"iterations": 2, "envs": 256, "steps": 1000, "pixels": 3072}, {}),
    ("W3 reinforce", "reinforce", {"iterations": 10, "envs": 256, "steps": 1000}, {"iterations": 2}),
    ("W4 ppo-cartpole, 1024 environments", "ppo_cartpole", {"envs": 1024, "timesteps": 1024 * 128 * 8}, {"timesteps": 524288}),
    ("W5 rollout, 65536 environments", "rollout", {"envs": 65536, "horizon": 2000}, {"horizon": 50}),
    ("W6 sum tree, capacity 1000000", "sum_tree", {"steps": 20000}, {"steps": 500}),
    ("W6 dqn-per, capacity 1000000", "dqn_cartpole", {"timesteps": 20000, "starts": 1000, "prioritized": 1, "capacity": 1000000}, {"timesteps": 4000}),
]
# With --tiny: what each param is at most, so that every row takes moments; nothing is measured or learned by that.
TINY = {"iterations": 1, "envs": 64, "steps": 16, "pixels": 48, "horizon": 10, "num_envs": 4, "total_timesteps": 600, "learning_starts": 300, "buffer_size": 1000}
TINY_MORE = {TRIVIAL: {"envs": 64, "steps": 16}, "benchmarks/workloads/reinforce.rl": {"envs": 16, "steps": 16}, "examples/dqn_cartpole.rl": {"window": 10, "batch_size": 16}}
TINY_PEER = {"iterations": 1, "envs": 16, "steps": 16, "pixels": 48, "timesteps": 2048, "horizon": 10, "starts": 1000, "capacity": 5000, "repeats": 1}
# Examples in short, whatever of these they have: for compute-sanitizer, under which a kernel takes a hundred times as long.
SHORT = {"total_timesteps": 600, "learning_starts": 300, "buffer_size": 1000, "iterations": 2, "num_envs": 4, "num_steps": 16, "num_minibatches": 2, "update_epochs": 1,
         "envs": 16, "horizon": 16, "window": 10, "batch_size": 16, "hidden": 16, "wide": 16, "narrow": 16, "filters": 2, "steps": 2500, "population": 2, "pairs": 4,
         "n_atoms": 11, "evaluation_frequency": 300, "exploration_steps": 100, "sweeps": 5}
SHORT_MORE = {"impala_cartpole.rl": {"window": 5}}  # it has nine updates then
# Rows of WORKLOADS whose kernels are looked at one by one; what launches are counted for, and how many of that their params ask for.
PROFILED = {
    "W1 ppo-trivial, base": ("iteration", lambda p: p["iterations"]),
    "W2 ppo-large-obs, 3x32x32": ("iteration", lambda p: p["iterations"]),
    "W3 reinforce": ("iteration", lambda p: p["iterations"]),
    "W4 ppo-cartpole, 1024 environments": ("iteration", lambda p: p["total_timesteps"] / (p["num_envs"] * 128)),
    "W5 rollout, 65536 environments": ("step", lambda p: p["horizon"]),
    "W6 dqn-per, capacity 1000000": ("round of ten steps", lambda p: p["total_timesteps"] / 10),
}
MOST_KERNELS = 6  # of a program: those that take most time
LEAST_DIFFERENCE = 0.5  # seconds by which a run of twice the length takes longer
LONGEST = 512  # times its own length
MEMORY = "of the memory's rate"  # a column of rlc profile
NO_GPU = 3


class Table:
    """Every row is there on every machine: what could not be measured says so, and why."""

    def __init__(self):
        self.failed = 0

    def add(self, name, result, passed=None):
        self.failed += passed is False
        mark = "" if passed is None else "passed" if passed else "FAILED"
        print(f"{name:60} {result:>28} {mark}".rstrip(), flush=True)

    def missing(self, name, why):
        self.add(name, f"not measured: {why}")


def output_of(command, timeout=3600, cwd=None):
    """What takes longer failed like anything else: the rows behind it are still measured."""
    try:
        return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=timeout, cwd=cwd)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"it takes more than {timeout:g} seconds")


def seconds(command, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        made = output_of(command)
        times.append(time.perf_counter() - start)
        if made.returncode != 0:
            raise RuntimeError(made.stderr.strip()[-300:])
    return statistics.median(times)


def describe(table, without):
    table.add("date", datetime.date.today().isoformat())
    smi = shutil.which("nvidia-smi")
    made = output_of([smi, "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]) if smi else None
    if without:
        table.missing("GPU", without)
    else:
        table.add("GPU", made.stdout.strip().splitlines()[0] if made and made.stdout.strip() else "nvidia-smi says nothing")


def conformance(table, rlc, device, options):
    command = [sys.executable, ROOT / "tests/run_conformance.py", "--rlc", rlc, "--device", device, "--timeout", "120"]
    part = "^06_d" if options.tiny else "^(04|06|07)" if options.quick else ""
    made = output_of(command + (["--filter", part] if part else []))
    last = made.stdout.strip().splitlines()[-1] if made.stdout.strip() else made.stderr.strip()[-200:]
    table.add(f"conformance, {device}", last, made.returncode == 0)


def learning(table, rlc, options, without):
    """The short runs of what the examples learn, as `ctest -R learning` has them on the processor."""
    rows = [row["name"] for row in json.loads((ROOT / "benchmarks/learning.json").read_text(encoding="utf-8"))]
    chosen = TINY_LEARNING if options.tiny else QUICK_LEARNING if options.quick else rows
    command = [rlc, "bench", "learning", "--short", "--device", "gpu", "--programs", ROOT / "benchmarks/workloads", "--filter"]
    told = {}
    for name in rows:
        row = f"learning: {name}"
        if without or name not in chosen:
            table.missing(row, without or ("--tiny" if options.tiny else "--quick"))
            continue
        if name not in told:  # a filter may choose more than one
            made = output_of([*command, name])
            told |= {line[1]: (line[0], line[2]) for line in re.findall(r"^(ok|FAILED) +(\w+): (.*)$", made.stdout, re.MULTILINE)}
        state, text = told.get(name, ("FAILED", made.stderr.strip()[-120:] or "it says nothing"))
        table.add(row, text, state == "ok")


def shortened(program):
    """name=value for each param that SHORT makes less of."""
    short = SHORT | SHORT_MORE.get(program.name, {})
    params = re.findall(r"^param (\w+) *= *([0-9]+)\b(?!\.)", program.read_text(encoding="utf-8"), re.MULTILINE)
    return [f"{name}={short[name]}" for name, value in params if name in short and int(value) > short[name]]


def sanitizer(table, rlc, options, without):
    """The conformance programs and every example, in short. Clean: no error that the tool knows, and the program's own results."""
    found = shutil.which("compute-sanitizer")
    examples = sorted((ROOT / "examples").glob("*.rl"))
    if without or not found:
        for row in ["conformance", *(example.name for example in examples)]:
            table.missing(f"compute-sanitizer: {row}", without or "not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        # What the tool says goes elsewhere: programs are judged by what they print.
        log, under = Path(folder) / "log", Path(folder) / "rlc-under-sanitizer"

        def told(passed):
            text = "".join(path.read_text(encoding="utf-8", errors="replace") for path in Path(folder).glob("log*"))
            errors = [line for line in text.splitlines() if re.search(r"ERROR SUMMARY: [1-9]|Invalid|Race|Barrier error|leaked", line)]
            for path in Path(folder).glob("log*"):
                path.unlink()
            return ("clean" if passed else "not clean: " + (errors[0].strip("= ")[:90] if errors else "the program itself failed")), passed

        command = [found, "--tool", "memcheck", "--target-processes", "all", "--error-exitcode", "9", "--log-file", log, rlc]
        under.write_text("#!/bin/sh\nexec " + " ".join(shlex.quote(str(part)) for part in command) + ' "$@"\n', encoding="utf-8")
        under.chmod(0o755)
        part = "^06_d" if options.tiny else "^(06|07_c)" if options.quick else "^(04|05|06|07|09)"
        made = output_of([sys.executable, ROOT / "tests/run_conformance.py", "--rlc", under, "--device", "gpu", "--timeout", "600", "--filter", part])
        table.add("compute-sanitizer: conformance", *told(made.returncode == 0))
        for example in examples:
            if options.tiny and example.name not in TINY_SANITIZED:
                table.missing(f"compute-sanitizer: {example.name}", "--tiny")
                continue
            made = output_of([under, "run", example, *shortened(example), "--device", "gpu", "--quiet"], cwd=folder)
            table.add(f"compute-sanitizer: {example.name}", *told(made.returncode == 0))


def profile_of(rlc, path, params):
    made = output_of([rlc, "profile", path, *(f"{key}={value}" for key, value in params.items()), "--device", "gpu", "--json"])
    if made.returncode != 0:
        raise RuntimeError(made.stderr.strip()[-120:] or f"status {made.returncode}")
    return [json.loads(line) for line in made.stdout.splitlines()]


def kernels(table, rlc, options, without):
    """What rlc profile tells: launches per iteration, the device's memory, and how far each kernel is from the device's limits."""
    rows = {name: rest for name, *rest in WORKLOADS}
    for name, (unit, count) in PROFILED.items():
        program, params, doubled, _ = rows[name]
        path = ROOT / program
        if without or not path.exists():
            for what in (f"launches per {unit}", "device memory", "kernels"):
                table.missing(f"{name}: {what}", without or "the program is not here")
            continue
        params = small(program, params) if options.tiny else params
        try:
            more = params | {doubled: 2 * params[doubled]}
            once, twice = profile_of(rlc, path, params), profile_of(rlc, path, more)
        except RuntimeError as error:
            table.add(f"{name}: kernels", str(error)[:120], False)
            continue
        launches = [sum(row.get("launched", 0) for row in rows) for rows in (once, twice)]
        table.add(f"{name}: launches per {unit}", f"{(launches[1] - launches[0]) / (count(more) - count(params)):.3g}")
        memory = next(row for row in once if "planned bytes" in row)
        table.add(f"{name}: device memory", f"{memory['planned bytes'] / 1e6:.4g} MB planned, {memory['taken bytes'] / 1e6:.4g} MB taken")
        timed = sorted((row for row in once if "flops" in row), key=lambda row: -row["seconds"])
        whole = sum(row["seconds"] for row in timed)
        for row in timed[:MOST_KERNELS]:
            table.add(f"{name}: {row['kernel'].split(',')[0]}", f"{100 * row['seconds'] / whole:.2g} % of the kernels' time; arithmetic {row['of the FMA peak']}, memory {row[MEMORY]}")


def limited(rlc, path, params, share):
    """The options for a share of the memory that the program needs on the GPU, by what rlc says where one byte is all it may have."""
    made = output_of([rlc, "run", path, *(f"{key}={value}" for key, value in params.items()), "--device", "gpu", "--memory-limit", "1"])
    need = re.search(r"it needs ([0-9.]+) (bytes|kB|MB|GB|TB)", made.stderr)
    if not need:
        raise RuntimeError(made.stderr.strip()[-120:] or "what it needs is not said")
    return ["--memory-limit", str(int(float(need[1]) * {"bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[need[2]] * share))]


def small(program, params):
    return {key: min(value, TINY[key]) if key in TINY else value for key, value in params.items()} | TINY_MORE.get(program, {})


def workloads(table, rlc, repeats, tiny, without):
    for name, program, params, doubled, work in WORKLOADS:
        path = ROOT / program
        params = small(program, params) if tiny else params
        if without or not path.exists():
            table.missing(name, without or "the program is not here")
            continue

        limit = []

        def command(values):
            return [rlc, "run", path, *(f"{key}={value}" for key, value in values.items()), "--device", "gpu", "--quiet", *limit]

        try:
            for times in (1, 8, 64, LONGEST):
                once = dict(params, **{doubled: times * params[doubled]})
                more = dict(params, **{doubled: 2 * times * params[doubled]})
                limit = limited(rlc, path, more, 3 / 4 if tiny else 1 / 8) if name.endswith(EIGHTH) else []
                seconds(command(once), 1), seconds(command(more), 1)  # kernels into the cache
                if tiny or seconds(command(more), 1) - seconds(command(once), 1) >= LEAST_DIFFERENCE:
                    break
            spent = seconds(command(more), repeats) - seconds(command(once), repeats)
            extra = work(more) - work(once)
            table.add(name, f"{extra / spent:.3g} steps/s" if spent > 0 and not tiny else "too short to tell")
        except RuntimeError as error:
            table.add(name, str(error)[:120], False)


def peers(table, tiny, without):
    for module in ("jax", "torch"):
        absent = "" if without else output_of([sys.executable, "-c", f"import {module}"]).stderr
        for name, stem, settings, fewer in PEERS:
            row, settings = f"{name}: {module}", settings | (fewer if module == "torch" else {})
            if without or absent:
                table.missing(row, without or "not installed")
                continue
            if tiny:
                settings = {key: min(value, TINY_PEER.get(key, value)) for key, value in settings.items()} | {"repeats": 1}
            command = [sys.executable, ROOT / "benchmarks/peers" / f"{stem}_{module}.py"]
            command += [text for key, value in settings.items() for text in (f"--{key}", value)]
            if module == "torch" and not tiny:
                command += ["--device", "cuda"]
            peer(table, row, command, tiny)


def peer(table, row, command, tiny):
    made = output_of(command)
    rate = re.search(r'"rate": *([0-9.e+]+)', made.stdout)
    device = re.search(r'"device": *"(\w+)"', made.stdout)
    if rate and tiny:
        table.add(row, "too short to tell")
    elif rate and device and device[1] == "cpu":
        table.missing(row, "it sees no GPU")
    elif rate:
        table.add(row, f"{float(rate[1]):.3g} steps/s")
    else:
        why = made.stderr.strip().splitlines()[-1][:100] if made.stderr.strip() else "it says nothing"
        table.add(row, why, False) if tiny else table.missing(row, why)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", default=None)
    parser.add_argument("--quick", action="store_true", help="a part of the conformance programs and of what is learned, one run of each workload")
    parser.add_argument("--tiny", action="store_true", help="next to no work in each row: shows that all of it runs, and measures nothing")
    options = parser.parse_args()
    rlc = options.rlc or next((p for p in (ROOT / "rlc", ROOT / "build/release/rlc", ROOT / "build/ci/rlc") if p.exists()), None)
    if rlc is None:
        sys.exit("gpu-check: there is no rlc: ./build.sh build rlc makes one")
    rlc = Path(rlc).resolve()
    probe = output_of([rlc, "eval", "1 + 1", "--device", "gpu"])
    without = ""
    if probe.returncode != 0:
        without = "no GPU"
        print(f"rlc can't use a GPU here:\n{probe.stderr}")
    table = Table()
    describe(table, without)
    conformance(table, rlc, "cpu", options)
    if without:
        table.missing("conformance, gpu", without)
    else:
        conformance(table, rlc, "gpu", options)
    learning(table, rlc, options, without)
    sanitizer(table, rlc, options, without)
    kernels(table, rlc, options, without)
    workloads(table, rlc, 1 if options.quick or options.tiny else 3, options.tiny, without)
    peers(table, options.tiny, without)
    print(f"\n{table.failed} failed" if table.failed else "\neverything that ran was right")
    return 1 if table.failed else NO_GPU if without else 0


if __name__ == "__main__":
    sys.exit(main())
