#!/usr/bin/env python3
"""Tensors in the host's memory: copies ahead of their use on streams of their own, in any order that their events leave, give the same bits."""

import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.emulated_gpu import EmulatedGpu

# Forward and backward through tensors that a limit moves out; each step has several launches.
PROGRAM = """param n = 10
index i in 0..n
index b in 0..4096
x[0, b]   = 0.0001 * b
y[0, b]   = 0.5 - 0.0001 * b
m[i]      = mean(x[i, b] * y[i, b] for b)
x[i+1, b] = 0.5 * x + 0.1 * m[i]
y[i+1, b] = 0.9 * y - 0.1 * x[i, b] * m[i]
z[n, b]   = x[n, b]
k[i]      = mean(z[i+1, b] * y[i, b] for b)
z[i, b]   = 0.75 * z[i+1, b] + x[i, b] * y[i, b] - k[i]
report "m" = m[i]
print "all", sum(z[0, b] for b), k[0], sum(z[i, b] * y[i, b] for i, b)
"""
# What stays on the device of 360 kB: nearly nothing, so that some is read where it is; and most.
LIMITS = ("180K", "250K", "330K")


def numbers(text):
    return [float(n) for n in re.findall(r"= (-?[0-9.e+-]+)", text)]


def orders(gpu, program):
    interpreted = gpu.rlc_without("run", program, "--device", "interp").stdout
    whole = gpu.rlc_with("threads=32", "run", program, "--device", "gpu").stdout
    pairs = list(zip(numbers(interpreted), numbers(whole)))
    gpu.expect(len(pairs) == 13 and all(abs(a - b) <= 1e-4 * max(1e-2, abs(a)) for a, b in pairs), f"{whole!r} instead of {interpreted!r}")
    copied = False
    for limit in LIMITS:
        command = ["run", program, "--device", "gpu", "--memory-limit", limit]
        kernels = gpu.rlc_with("", "explain", "kernels", program, "--device", "gpu", "--memory-limit", limit).stdout
        copied |= "a copy" in kernels
        gpu.expect("in the host's memory" in kernels, f"{limit}: nothing is moved out")
        for seed in ("", "1", "2", "3"):
            made = gpu.rlc_with("threads=32" + (f",order={seed}" if seed else ""), *command)
            gpu.expect(made.returncode == 0 and made.stdout == whole, f"{limit}, order {seed}: {made.stdout!r} instead of {whole!r} {made.stderr[-300:]}")
    gpu.expect(copied, "nothing is copied ahead")
    made = gpu.rlc_with("threads=32,fail=cuMemcpyHtoDAsync_v2:46@4", *command)
    gpu.expect(made.returncode == 3 and "lost" in made.stderr and "moving tensors" in made.stderr, f"a device lost meanwhile: {made.stderr!r}")
    # The orders tell where events are missing: without any of them, and without one.
    lost = {n: any(gpu.rlc_with(f"threads=32,order={seed},lose={n}", *command).stdout != whole for seed in (1, 2)) for n in ("all", *range(1, 15))}
    gpu.expect(lost["all"] and sum(lost.values()) >= 4, f"lost events are not noticed: {lost}")


def large_observations(gpu):
    """A policy's learning on large observations in an eighth of the memory: fewer environments at a time, the same bits."""
    program = [str(ROOT / "benchmarks/workloads/ppo_trivial.rl"), "iterations=2", "envs=512", "steps=40", "pixels=192", "width=4"]
    whole = gpu.rlc_with("threads=32", "run", *program, "--device", "gpu")
    said = gpu.rlc_with("threads=32", "run", *program, "--device", "gpu", "--memory-limit", "9999").stderr
    needs = re.search(r"it needs ([0-9.]+) MB", said)
    gpu.expect(needs is not None, f"what it needs is not said: {said!r}")
    if needs is None:
        return
    limit = f"{int(float(needs.group(1)) * 1000 / 8)}K"
    made = gpu.rlc_with("threads=32", "run", *program, "--device", "gpu", "--memory-limit", limit)
    gpu.expect(whole.returncode == 0 and made.stdout == whole.stdout, f"{limit} of {needs.group(1)} MB: {made.stdout!r} instead of {whole.stdout!r} {made.stderr[-300:]}")


def main():
    gpu = EmulatedGpu(__doc__, kept=["RLC_CACHE_DIR"], RLC_GPU_GRID_WORK="1")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "rows.rl"
        program.write_text(PROGRAM, encoding="utf-8")
        orders(gpu, str(program))
    large_observations(gpu)
    return gpu.report()


if __name__ == "__main__":
    sys.exit(main())
