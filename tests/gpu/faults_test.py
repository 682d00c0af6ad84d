#!/usr/bin/env python3
"""What rlc says and does when a GPU is missing, too old, too small or fails: status 3, a message with a way out, results so far kept, and
never a silent run on the processor. On the emulated GPU."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """index i in 0..6
index b in 0..64
x[0, b] = 1.0 + 0.0 * b
x[i+1, b] = x * 0.5
report "mean" = mean(x for b)
"""

CASES = [
    ("no library", None, ["libcuda.so.1 was not found", "looked for", "RLC_CUDA_PATH", "--device cpu"]),
    ("no device", "devices=0", ["no NVIDIA GPU", "CUDA_VISIBLE_DEVICES", "--device cpu"]),
    ("old device", "capability=60", ["too old", "6.0", "7.5"]),
    ("old driver", "driver=11040", ["driver is for CUDA 11.4", "update the driver"]),
    ("driver older than the compiler", "driver=12040", ["newer than the driver", "CUDA 12"]),
    ("image refused", "fail=cuModuleLoadData:222", ["update the driver", "NVRTC"]),
    ("little memory", "memory=1000", ["bytes of the GPU's memory", "free", "fewer environments"]),
    ("out of memory", "fail=cuMemAlloc_v2:2", ["out of memory", "fewer environments"]),
    ("no start", "fail=cuInit:803", ["driver is too old", "restart"]),
    ("launch refused", "fail=cuLaunchKernel:719", ["a kernel failed", "report the program"]),
    ("kernel fault", "fail=cuEventQuery:700@2", ["a kernel failed"]),
    ("device lost", "fail=cuEventQuery:46@2", ["GPU was lost", "dmesg"]),
]


def run(rlc, program, emulated, settings, *more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RLC_")}
    if settings is not None:
        environment |= {"RLC_CUDA_PATH": emulated, "RLC_FAKE_GPU": settings}
    return subprocess.run([rlc, "run", program, "--device", "gpu", *more], capture_output=True, text=True, timeout=120, env=environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--emulated", required=True, help="the folder of the emulated libraries")
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "means.rl")
        Path(program).write_text(PROGRAM, encoding="utf-8")
        good = run(options.rlc, program, options.emulated, "")
        if good.returncode != 0 or good.stdout.count("mean") != 6:
            failures.append(f"the program itself: status {good.returncode}, {good.stdout!r} {good.stderr[-400:]!r}")
        for name, settings, words in CASES:
            made = run(options.rlc, program, options.emulated, settings)
            if made.returncode != 3:
                failures.append(f"{name}: status {made.returncode} instead of 3: {made.stderr[-400:]}")
            failures += [f"{name}: `{word}` is not said: {made.stderr[-400:]}" for word in words if word not in made.stderr]
            if made.stdout and not good.stdout.startswith(made.stdout):
                failures.append(f"{name}: shows {made.stdout!r}")
        # What had been reported before the GPU failed is there.
        late = run(options.rlc, program, options.emulated, "fail=cuEventQuery:700@20")
        if late.returncode == 3 and not good.stdout.startswith(late.stdout):
            failures.append("a late failure changes what came before")
        # Asked for nothing in particular, rlc does without a GPU.
        plain = subprocess.run([options.rlc, "run", program], capture_output=True, text=True, timeout=60)
        if plain.returncode != 0:
            failures.append(f"--device auto: status {plain.returncode}")
    print("\n".join(failures + [f"{len(CASES) + 3 - len(failures)} passed, {len(failures)} failed"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
