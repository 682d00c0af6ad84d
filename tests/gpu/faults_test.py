#!/usr/bin/env python3
"""What rlc says and does when a GPU is missing, too old, too small or fails: status 3, a message with a way out, results so far kept, and
never a silent run on the processor. On the emulated GPU."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

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
    ("little memory", "memory=100", ["bytes of the GPU's memory", "free", "fewer environments"]),
    ("out of memory", "fail=cuMemAlloc_v2:2", ["out of memory", "fewer environments"]),
    ("no start", "fail=cuInit:803", ["driver is too old", "restart"]),
    ("launch refused", "fail=cuLaunchKernel:719", ["a kernel failed", "report the program"]),
    ("kernel fault", "fail=cuEventQuery:700@2", ["a kernel failed"]),
    ("launch timed out", "fail=cuEventQuery:702@2", ["ran too long", "fewer steps"]),
    ("memory error", "fail=cuEventQuery:214@2", ["GPU was lost", "dmesg"]),
    ("no pinned memory", "fail=cuMemHostAlloc:2", ["out of memory", "fewer environments"]),
    ("device lost", "fail=cuEventQuery:46@2", ["GPU was lost", "dmesg"]),
]

# Writes a checkpoint in each iteration.
KEEPING = "param n = 6\n" + PROGRAM.replace("0..6\n", "0..n\n") + """w[i] = mean(x[i, b] for b)
save w[i] as "kept" each 1 i
"""

# A factor that tf32 does not have.
ROUNDING = """index i in 0..2
index r in 0..16
index c in 0..16
start[r, c] = 1.0002 - 0.0 * r - 0.0 * c
one[r, c]   = 1.0 + 0.0 * r + 0.0 * c
A[0]   = start[0..16, 0..16]
A[i+1] = A[i] @ one[0..16, 0..16]
print "A", A[1][3, 4]
"""

# The same in the lanes of generated kernels.
LAYER = """index b in 0..70
index r in 0..16
index c in 0..16
w[r, c] = 1.0002 - 0.0 * r - 0.0 * c
x[b, c] = 1.0 + 0.0 * b + 0.0 * c
y       = w[0..16, 0..16] @ x[b, 0..16]
print "A", y[69][3]
"""

# Far more work than a test may do: --device auto has to take the GPU, and the GPU to fail.
HUGE = """index i in 0..1000000
index b in 0..1000000
x[0, b] = 1.0 + 0.0 * b
x[i+1, b] = sin(x) * 0.5
report "mean" = mean(x[1000000, b] for b)
"""


def run(rlc, program, emulated, settings, *more, cache=None, cwd=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RLC_")}
    if cache is not None:
        environment["RLC_CACHE_DIR"] = str(cache)
    if settings is not None:
        environment |= {"RLC_CUDA_PATH": emulated, "RLC_FAKE_GPU": settings}
    return subprocess.run([rlc, "run", program, "--device", "gpu", *more], capture_output=True, text=True, timeout=120, env=environment, cwd=cwd)


def checkpoints(options, folder):
    """What had been saved before the GPU failed is whole: what a run of that many iterations saves."""
    program, kept = Path(folder) / "keeping.rl", Path(folder) / "kept.rlc"
    program.write_text(KEEPING, encoding="utf-8")
    whole = set()
    for n in range(1, 7):
        subprocess.run([options.rlc, "run", str(program), f"n={n}", "--device", "cpu"], capture_output=True, timeout=60, cwd=folder, check=True)
        whole.add(kept.read_bytes())
        kept.unlink()
    late = run(options.rlc, str(program), options.emulated, "fail=cuEventQuery:700@30", cwd=folder)
    if late.returncode != 3 or not kept.exists():
        return [f"a checkpoint before a failure: status {late.returncode}, {late.stdout!r} {late.stderr[-300:]}"]
    return [] if kept.read_bytes() in whole else ["the checkpoint before a failure is not what was to be saved"]


def compiled_once(options, program, cache, expected):
    """Kernels come from the cache the second time, and damaged entries count as absent."""
    failures = []

    def entries():
        return {p: p.read_bytes() for p in cache.rglob("gpu-*") if p.is_file()}

    def expect(what):
        made = run(options.rlc, program, options.emulated, "", cache=cache)
        if made.returncode != 0 or made.stdout != expected:
            failures.append(f"{what}: status {made.returncode}, {made.stdout!r} {made.stderr[-300:]}")

    expect("an empty cache")
    kept = entries()
    if not kept:
        return failures + ["the cache has no kernels"]
    expect("a full cache")
    if entries() != kept:
        failures.append("what was in the cache was compiled again")
    for name, damage in (("truncated", lambda b: b[: len(b) // 2]), ("empty", lambda b: b""), ("changed", lambda b: b[:-9] + bytes(9 * [255]))):
        for path, content in kept.items():
            path.write_bytes(damage(content))
        expect(f"a {name} entry")
        if entries() != kept:
            failures.append(f"a {name} entry was not replaced")
    return failures


def products(options, rounding):
    """cuBLAS's failure is the run's; factors are rounded to tf32 where that was asked for, and only there."""
    program = str(ROOT / "tests" / "conformance" / "07_products_of_matrices.rl")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RLC_")}
    environment |= {"RLC_CUDA_PATH": options.emulated, "RLC_GPU_PRODUCT_WORK": "1"}
    failures = []
    for name, settings, status, words in (("cuBLAS fails", "fail=cublas:13", 3, "cuBLAS: multiplying matrices failed with status 13"), ("cuBLAS works", "", 0, "")):
        made = subprocess.run([options.rlc, "run", program, "--device", "gpu"], capture_output=True, text=True, timeout=60, env=environment | {"RLC_FAKE_GPU": settings})
        if made.returncode != status or words not in made.stderr:
            failures.append(f"{name}: status {made.returncode} instead of {status}: {made.stderr[-300:]}")
    warps = environment | {"RLC_FAKE_GPU": "threads=64", "RLC_GPU_GRID_WORK": "1"}
    for program, settings in ((ROUNDING, environment), (LAYER, warps)):
        rounding.write_text(program, encoding="utf-8")
        for precision, wanted in (("f32", "A = 16.003"), ("tf32", "A = 16.0\n")):
            made = subprocess.run([options.rlc, "run", str(rounding), "--device", "gpu", "--matmul-precision", precision], capture_output=True, text=True,
                                  timeout=60, env=settings)
            if not made.stdout.startswith(wanted):
                failures.append(f"--matmul-precision {precision}: {made.stdout!r} {made.stderr[-300:]!r}")
    return failures


def limited(options):
    """With little memory fewer lanes run at a time, to the same results; without --memory-limit the GPU is too small, and that is said."""
    command = [options.rlc, "run", str(ROOT / "benchmarks/workloads/ppo_trivial.rl"), "iterations=2", "envs=128", "steps=40", "pixels=48", "width=16", "--device", "gpu"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RLC_")} | {"RLC_CUDA_PATH": options.emulated, "RLC_GPU_GRID_WORK": "1"}

    def made(memory, *more):
        return subprocess.run([*command, *more], capture_output=True, text=True, timeout=120, env=environment | {"RLC_FAKE_GPU": f"threads=32,memory={memory}"})

    whole, small, limit = made(100_000_000), made(500_000), made(500_000, "--memory-limit", "500K")
    failures = [] if whole.returncode == 0 else [f"3.5 MB of memory: status {whole.returncode}: {whole.stderr[-300:]}"]
    if small.returncode != 3 or "--memory-limit" not in small.stderr:
        failures.append(f"less memory without a limit: status {small.returncode}: {small.stderr[-300:]}")
    if limit.returncode != 0 or limit.stdout != whole.stdout:
        failures.append(f"a seventh of the memory: status {limit.returncode}: {limit.stdout!r} instead of {whole.stdout!r} {limit.stderr[-300:]}")
    return failures


def chosen(options, small, huge):
    """--device auto: the processor without a GPU and for little work, the GPU for much, and then its failure is the run's."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RLC_")}
    failing = environment | {"RLC_CUDA_PATH": options.emulated, "RLC_FAKE_GPU": "fail=cuLaunchKernel:719"}
    huge.write_text(HUGE, encoding="utf-8")
    failures = []
    for name, program, settings, status in (("without a GPU", small, environment, 0), ("with little work", small, failing, 0), ("with much work", huge, failing, 3)):
        made = subprocess.run([options.rlc, "run", str(program)], capture_output=True, text=True, timeout=60, env=settings)
        if made.returncode != status:
            failures.append(f"--device auto {name}: status {made.returncode} instead of {status}: {made.stderr[-300:]}")
    return failures


def absent(options, program, expected):
    """Without NVRTC --device gpu says so and --device auto takes the processor; without cuBLAS products are kernels as everything else."""
    if not hiding(options, ""):
        return []
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RLC_")}
    environment |= {"RLC_CUDA_PATH": options.emulated, "RLC_GPU_PRODUCT_WORK": "1"}
    products = str(ROOT / "tests" / "conformance" / "07_products_of_matrices.rl")
    whole = subprocess.run([options.rlc, "run", products, "--device", "gpu"], capture_output=True, text=True, timeout=60, env=environment).stdout
    failures = []
    for name, hidden, file, device, status, output, words in (
        ("no NVRTC", "libnvrtc", program, "gpu", 3, "", ["no run-time compiler", "looked for", "libnvrtc", "pip install nvidia-cuda-nvrtc", "RLC_CUDA_PATH"]),
        ("no NVRTC, any device", "libnvrtc", program, "auto", 0, expected, []),
        ("no driver", "libcuda", program, "gpu", 3, "", ["libcuda.so.1 was not found", "looked for", options.emulated, "--device cpu"]),
        ("no cuBLAS", "libcublas", products, "gpu", 0, whole, []),
    ):
        made = subprocess.run([options.rlc, "run", file, "--device", device], capture_output=True, text=True, timeout=60, env=environment | hiding(options, hidden))
        if made.returncode != status or made.stdout != output or any(word not in made.stderr for word in words):
            failures.append(f"{name}: status {made.returncode} instead of {status}, {made.stdout!r} {made.stderr[-600:]}")
    return failures


def hiding(options, library):
    """Settings under which the library can't be opened; none under the address sanitizer, before which nothing can be loaded."""
    sanitized = "libasan" in subprocess.run(["ldd", options.rlc], capture_output=True, text=True).stdout
    return {} if sanitized else {"LD_PRELOAD": str(Path(options.emulated) / "librlc_hide.so"), "RLC_HIDE_LIBRARY": library}


def older_cuda(options, program, expected, folder):
    """A driver, NVRTC and cuBLAS of CUDA 12, by the names that they have there; cuBLAS of CUDA 13 beside them is not for that driver."""
    folder.mkdir()
    for name, target in (("libcuda.so.1", "libcuda.so.1"), ("libnvrtc.so.12", "libnvrtc.so.13"), ("libcublas.so.13", "libcublas.so.13")):
        (folder / name).symlink_to(Path(options.emulated) / target)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RLC_")}
    environment |= {"RLC_CUDA_PATH": str(folder), "RLC_GPU_PRODUCT_WORK": "1", "RLC_FAKE_GPU": "driver=12040,nvrtc=12,fail=cublas:13"}
    environment |= hiding(options, "libcublas.so.12")  # a real one would be asked for real memory
    products = str(ROOT / "tests" / "conformance" / "07_products_of_matrices.rl")
    failures = []
    for file, output in ((program, expected), (products, None)):
        made = subprocess.run([options.rlc, "run", file, "--device", "gpu"], capture_output=True, text=True, timeout=60, env=environment)
        if made.returncode != 0 or output not in (None, made.stdout):
            failures.append(f"CUDA 12: status {made.returncode}, {made.stdout!r} {made.stderr[-300:]}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--emulated", required=True, help="the folder of the emulated libraries")
    options = parser.parse_args()
    options.rlc, options.emulated = str(Path(options.rlc).resolve()), str(Path(options.emulated).resolve())
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
        failures += checkpoints(options, folder)
        failures += compiled_once(options, program, Path(folder) / "cache", good.stdout)
        failures += products(options, Path(folder) / "rounding.rl")
        failures += limited(options)
        failures += older_cuda(options, program, good.stdout, Path(folder) / "cuda12")
        failures += absent(options, program, good.stdout)
        failures += chosen(options, program, Path(folder) / "huge.rl")
    print("\n".join(failures + [f"{len(CASES) + 23 - len(failures)} passed, {len(failures)} failed"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
