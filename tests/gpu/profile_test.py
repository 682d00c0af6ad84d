#!/usr/bin/env python3
"""rlc profile --device gpu on the emulated GPU: each kernel that ran is a row, with what it computes and its share of the device's limits. The
times are those of the emulation: only that they are there, and what is counted, is looked at."""

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from gpu.swapping_test import PROGRAM as MOVED
from support.emulated_gpu import EmulatedGpu

# 2^24 multiplications: a product of matrices beside a sum over its elements.
PRODUCT = """param N = 256
index i in 0..N
index j in 0..N
a[i, j] = f32(i - j)
b[i, j] = f32(i + j)
c[i, j] = sum(a[i, k] * b[k, j] for k in 0..N)
total = sum(c[p, q] for p in 0..N, q in 0..N)
print total
"""

# Sums of blocks, which another kernel adds up.
SUMS = """param n = 3
index i in 0..n
index b in 0..4096
x[0, b]   = 0.001 * b
x[i+1, b] = 0.5 * x + 0.1 * sum(x[i, b] * x[i, b] for b)
report "x" = x[i+1, 7]
"""

# Layers of lanes, whose products of f32 go to tensor cores where their factors may be rounded.
LAYER = """index b in 0..128
index r in 0..32
index c in 0..32
w[r, c] = 1.0 - 0.001 * r - 0.001 * c
x[b, c] = 1.0 + 0.001 * b + 0.001 * c
y[b]    = w[0..32, 0..32] @ x[b, 0..32]
print sum(y[b][p] for b, p in 0..32)
"""

WIDE = {"RLC_GPU_GRID_WORK": "1"}


def rows_of(gpu, settings, program, *params, **variables):
    made = gpu.rlc_with(settings, "profile", program, *params, "--device", "gpu", "--json", **variables)
    gpu.expect_run(f"profile {Path(program).name} {settings}", made, 0)
    return [json.loads(line) for line in made.stdout.splitlines()]


def kernels_of(rows, name):
    return [row for row in rows if name in row.get("kernel", "")]


def counts(gpu, program):
    """How often each kernel is launched, and what adds up the sums of blocks."""
    launches = []
    for n in (3, 5):
        rows = rows_of(gpu, "threads=32", program, f"n={n}", **WIDE)
        combine, lanes = kernels_of(rows, "_combine"), kernels_of(rows, "_lanes")
        launches.append([sum(row["launched"] for row in kernels) for kernels in (combine, lanes)])
        # A sum for each of 4096 / 32 blocks.
        gpu.expect(combine and all(row["flops"] == 128 * row["launched"] for row in combine), f"{n} sums: arithmetic of {combine}")
        memory = [row for row in rows if "planned bytes" in row]
        gpu.expect(len(memory) == 1 and memory[0]["taken bytes"] >= memory[0]["planned bytes"] > 4096 * 4, f"the device's memory: {memory}")
    gpu.expect([after - before for before, after in zip(*launches)] == [2, 2], f"launches of the combining kernels and of the others: {launches}")


def tensor_cores(gpu, program):
    """The limit of what tensor cores multiply is theirs."""
    for precision in ("f32", "tf32"):
        rows = rows_of(gpu, "threads=64,clock=100000000", program, "--matmul-precision", precision, **WIDE)
        shares = [row["of the FMA peak"] for row in rows if row.get("flops", 0) >= 128 * 32 * 32]
        gpu.expect(shares and all(("tensor cores, tf32" in share) == (precision == "tf32") for share in shares), f"{precision}: {rows}")
    rows = rows_of(gpu, "threads=64,clock=0", program, "--matmul-precision", "tf32", **WIDE)
    gpu.expect(any(row.get("of the FMA peak", "").startswith("not known (tensor cores") for row in rows), f"a limit of tensor cores that is not known: {rows}")


def moved(gpu, program):
    """Copies ahead of kernels are not part of the kernels' time."""
    slow = 0.2  # far more than a kernel takes on a busy machine
    rows = rows_of(gpu, "threads=32,copying=200", program, "n=4", "--memory-limit", "140K", **WIDE)
    kernels = [row for row in rows if "flops" in row]
    rest = [row["seconds"] for row in rows if row.get("kernel") == "between them"]
    gpu.expect(kernels and rest and rest[0] > 5 * slow, f"nothing is copied: {rows}")
    gpu.expect(all(row["seconds"] < slow * row["launched"] for row in kernels), f"copies are part of the kernels' time: {kernels}")


def left_over(gpu, program, folder):
    """Events and streams go with what made them, also where one can't be made."""
    alive = Path(folder) / "alive"
    for command in (["run"], ["profile"], ["profile", "--memory-limit", "330K"]):
        for asked in ("cuEventCreate", "cuStreamCreate"):
            for number in (0, 1, 2, 3, 4):
                fail = f",fail={asked}:2@{number}" if number > 0 else ""
                made = gpu.rlc_with(f"threads=32,alive={alive}{fail}", command[0], program, *command[1:], "--device", "gpu", **WIDE)
                gpu.expect(made.returncode in ((0,) if number == 0 else (0, 3)), f"{command}, {fail}: status {made.returncode} {made.stderr[-300:]}")
                gpu.expect(number != 1 or made.returncode == 3, f"{command}, {fail}: status {made.returncode}")
                gpu.expect(alive.read_text() == "0 0\n", f"{command}, {fail}: {alive.read_text()!r} events and streams are left")


def main():
    gpu = EmulatedGpu(__doc__, kept=["RLC_CACHE_DIR"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "product.rl"
        path.write_text(PRODUCT, encoding="utf-8")
        rows = rows_of(gpu, "threads=32", path)
        kernels = [row for row in rows if "flops" in row]
        gpu.expect(kernels and all(row["seconds"] > 0 for row in kernels), f"no kernels, or without time: {rows}")
        multiplied = max(row["flops"] for row in kernels)
        gpu.expect(multiplied >= 2 * 256**3, f"the product's arithmetic is not counted: {multiplied}")
        gpu.expect(all(row["of the FMA peak"].endswith("%") for row in kernels), f"no share of the peak: {rows}")
        rows = rows_of(gpu, "threads=32,clock=0", path)
        gpu.expect(any(row.get("of the FMA peak") == "not known" for row in rows), f"a share of a peak that is not known: {rows}")
        for asked in ("cuEventElapsedTime", "cuFuncGetAttribute"):
            failed = gpu.rlc_with(f"threads=32,fail={asked}:719", "profile", path, "--device", "gpu")
            gpu.expect_run(f"profile where {asked} fails", failed, 3)
        for text, check in ((SUMS, counts), (LAYER, tensor_cores), (MOVED, moved)):
            path.write_text(text, encoding="utf-8")
            check(gpu, path)
        left_over(gpu, path, folder)
    return gpu.report()


if __name__ == "__main__":
    sys.exit(main())
