#!/usr/bin/env python3
"""Kernels that have nothing to do in an iteration are not launched in it, nor are they in its graph: those that start what a run starts with,
and the last steps of rounds that overlap. Counted on the emulated GPU."""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.emulated_gpu import EmulatedGpu

ROUNDS = 20  # of ten steps and an update each


def launches(gpu, steps, folder):
    """How often each kernel of DQN runs."""
    counts = Path(folder) / "launches"
    made = gpu.rlc_with(f"threads=32,launches={counts}", "run", ROOT / "examples/dqn_cartpole.rl", f"total_timesteps={steps}", "learning_starts=300",
                        "window=10", "--device", "gpu", "--quiet")
    gpu.expect_run(f"{steps} steps", made, 0)
    return {name: int(count) for name, count in (line.split() for line in counts.read_text().splitlines())}


def main():
    gpu = EmulatedGpu(__doc__, kept=["RLC_CACHE_DIR"])
    with tempfile.TemporaryDirectory() as folder:
        few, many = launches(gpu, 800, folder), launches(gpu, 800 + 10 * ROUNDS, folder)
    more = {name: (count - few.get(name, 0)) / ROUNDS for name, count in many.items()}
    wide = {name: rate for name, rate in more.items() if "lanes" in name or "combine" in name}
    gpu.expect(wide and max(wide.values()) == 1.0, f"kernels over the whole device run more than once a round: {wide}")
    gpu.expect(min(wide.values()) == 0.0, f"a kernel that starts the run runs in each round: {wide}")
    gpu.expect(0 < sum(more.values()) <= 18, f"{sum(more.values())} launches a round: {more}")
    return gpu.report()


if __name__ == "__main__":
    sys.exit(main())
