#!/usr/bin/env python3
"""rlc profile --device gpu on the emulated GPU: each kernel that ran is a row, with what it computes and its share of the device's limits. The
times are those of the emulation: only that they are there, and what is counted, is looked at."""

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
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


def rows_of(gpu, settings, program, *params):
    made = gpu.rlc_with(settings, "profile", program, *params, "--device", "gpu", "--json")
    gpu.expect_run(f"profile {Path(program).name} {settings}", made, 0)
    return [json.loads(line) for line in made.stdout.splitlines()]


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
    return gpu.report()


if __name__ == "__main__":
    sys.exit(main())
