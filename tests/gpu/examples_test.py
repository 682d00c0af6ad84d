#!/usr/bin/env python3
"""Every example, in short, on the emulated GPU: it reports what it reports on the processor, but for the order in which sums are added up."""

import json
import math
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]
import gpu_check
from support.emulated_gpu import EmulatedGpu

CLOSE = 1e-2
# Sums in another order may, where two actions are all but equal, choose the other one, and from there on a run is another run. In runs as short as these
# that is rare: where this was set, every value of every example was the processor's.
LEAST = 0.9  # of an example's values


def reported(made):
    """(name, where, value) of each report and print, in order."""
    rows = [json.loads(line) for line in made.stdout.splitlines()]
    return [(row.get("report", row.get("print")), json.dumps({k: v for k, v in row.items() if k != "value"}), row["value"]) for row in rows if "value" in row]


def close(a, b):
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(close, a, b))
    if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
        return a == b
    return math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE)


def main():
    gpu = EmulatedGpu(__doc__, kept=["RLC_CACHE_DIR"])
    for example in sorted((ROOT / "examples").glob("*.rl")):
        command = ["run", example, *gpu_check.shortened(example), "--json"]
        with tempfile.TemporaryDirectory() as folder:
            wanted = gpu.rlc_without(*command, "--device", "cpu", cwd=folder, timeout=900)
            made = gpu.rlc_with("threads=32", *command, "--device", "gpu", cwd=folder, timeout=900)
        gpu.expect_run(f"{example.name} on the processor", wanted, 0)
        gpu.expect_run(example.name, made, 0)
        if wanted.returncode != 0 or made.returncode != 0:
            continue
        expected, have = reported(wanted), reported(made)
        gpu.expect(expected and [row[:2] for row in have] == [row[:2] for row in expected], f"{example.name}: it reports {len(have)} values instead of {len(expected)}")
        same = [close(a[2], b[2]) for a, b in zip(expected, have)]
        gpu.expect(sum(same) >= LEAST * len(same), f"{example.name}: {sum(same)} of {len(same)} values are those of the processor: {have[:8]} instead of {expected[:8]}")
    return gpu.report()


if __name__ == "__main__":
    sys.exit(main())
