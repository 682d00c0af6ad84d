#!/usr/bin/env python3
"""How many kernels are launched: one for a whole rollout; and none that has nothing to do in an iteration, nor is it in its graph (those that
start what a run starts with, and the last steps of rounds that overlap). Counted on the emulated GPU."""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.emulated_gpu import EmulatedGpu

ROUNDS = 20  # of ten steps and an update each


def launches(gpu, folder, program, *params):
    """How often each kernel of the program runs."""
    counts = Path(folder) / "launches"
    made = gpu.rlc_with(f"threads=32,launches={counts}", "run", ROOT / program, *params, "--device", "gpu", "--quiet")
    gpu.expect_run(f"{program} {' '.join(params)}", made, 0)
    return {name: int(count) for name, count in (line.split() for line in counts.read_text().splitlines())}


def steps(gpu, folder):
    """A rollout is one launch for all steps, one of environments that wait for each other a launch a step."""
    def count(name, horizon):
        return sum(launches(gpu, folder, f"benchmarks/workloads/{name}.rl", "envs=1024", f"horizon={horizon}").values())

    for name, least, most in (("rollout_cartpole", 0, 0), ("rollout_cartpole_steps", 1, 4)):
        a_step = (count(name, 20) - count(name, 10)) / 10
        gpu.expect(least <= a_step <= most, f"{name}: {a_step} launches a step")


def dqn(gpu, folder, total_timesteps):
    return launches(gpu, folder, "examples/dqn_cartpole.rl", f"total_timesteps={total_timesteps}", "learning_starts=300", "window=10")


def main():
    gpu = EmulatedGpu(__doc__, kept=["RLC_CACHE_DIR"])
    with tempfile.TemporaryDirectory() as folder:
        steps(gpu, folder)
        few, many = dqn(gpu, folder, 800), dqn(gpu, folder, 800 + 10 * ROUNDS)
    more = {name: (count - few.get(name, 0)) / ROUNDS for name, count in many.items()}
    wide = {name: rate for name, rate in more.items() if "lanes" in name or "combine" in name}
    gpu.expect(wide and max(wide.values()) == 1.0, f"kernels over the whole device run more than once a round: {wide}")
    gpu.expect(min(wide.values()) == 0.0, f"a kernel that starts the run runs in each round: {wide}")
    gpu.expect(0 < sum(more.values()) <= 18, f"{sum(more.values())} launches a round: {more}")
    return gpu.report()


if __name__ == "__main__":
    sys.exit(main())
