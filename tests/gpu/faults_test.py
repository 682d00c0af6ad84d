#!/usr/bin/env python3
"""What rlc says and does when a GPU is missing, too old, too small or fails: status 3, a message with a way out, results so far kept, and
never a silent run on the processor. On the emulated GPU."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.emulated_gpu import EmulatedGpu

LINKS = tempfile.TemporaryDirectory()

PRODUCTS = ROOT / "tests" / "conformance" / "07_products_of_matrices.rl"

PROGRAM = """index i in 0..6
index b in 0..64
x[0, b] = 1.0 + 0.0 * b
x[i+1, b] = x * 0.5
report "mean" = mean(x for b)
"""

# Before anything has been computed.
EARLY = [
    ("no library", None, ["libcuda.so.1 was not found", "looked for", "RLC_CUDA_PATH", "--device cpu"]),
    ("no device", "devices=0", ["no NVIDIA GPU", "CUDA_VISIBLE_DEVICES", "--device cpu"]),
    ("old device", "capability=60", ["too old", "6.0", "7.5"]),
    ("old driver", "driver=11040", ["driver is for CUDA 11.4", "update the driver"]),
    ("driver older than the compiler", "driver=12040", ["newer than the driver", "CUDA 12"]),
    ("image refused", "fail=cuModuleLoadData:222", ["update the driver", "NVRTC"]),
    ("little memory", "memory=100", ["bytes of the GPU's memory", "free", "fewer environments"]),
    ("out of memory", "fail=cuMemAlloc_v2:2", ["out of memory", "fewer environments"]),
    ("no start", "fail=cuInit:803", ["driver is too old", "restart"]),
    ("no pinned memory", "fail=cuMemHostAlloc:2", ["out of memory", "fewer environments"]),
    ("launch refused", "fail=cuLaunchKernel:719", ["a kernel failed", "report the program"]),
]
# Some time into the run.
LATE = [
    ("kernel fault", 700, ["a kernel failed", "report the program"]),
    ("kernel at a wrong address", 716, ["a kernel failed", "report the program"]),
    ("launch failed", 719, ["a kernel failed", "report the program"]),
    ("launch timed out", 702, ["ran too long", "fewer steps"]),
    ("out of memory", 2, ["out of memory", "fewer environments"]),
    ("memory error", 214, ["GPU was lost", "dmesg"]),
    ("device lost", 46, ["GPU was lost", "dmesg"]),
    ("device off the bus", 999, ["GPU was lost", "dmesg"]),
    ("a code of a later driver", 9999, ["the GPU failed", "dmesg", "--device cpu"]),
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


def early(gpu, program, folder):
    """Nothing is shown, and a checkpoint of an earlier run stays what it is."""
    keeping, kept = folder / "keeping.rl", folder / "kept.rlc"
    keeping.write_text(KEEPING, encoding="utf-8")
    kept.write_bytes(b"of an earlier run")
    for name, settings, words in EARLY:
        variables = {"RLC_CUDA_PATH": "", "RLC_FAKE_GPU": ""} if settings is None else {}
        for file in (program, keeping):
            made = gpu.rlc_with(settings, "run", file, "--device", "gpu", cwd=folder, **variables)
            gpu.expect_run(f"{name}, {file.stem}", made, 3, "", words)
        gpu.expect(kept.read_bytes() == b"of an earlier run", f"{name}: the checkpoint has changed")


def late(gpu, program, expected, folder):
    """What had been reported is there, and what had been saved is whole: what a run of so many iterations saves."""
    keeping, kept = folder / "keeping.rl", folder / "kept.rlc"
    keeping.write_text(KEEPING, encoding="utf-8")
    saved = set()
    for n in range(1, 7):
        gpu.expect_run("saving", gpu.rlc_with("", "run", keeping, f"n={n}", "--device", "gpu", cwd=folder), 0)
        saved.add(kept.read_bytes())
    gpu.expect(len(saved) == 6, f"{len(saved)} different checkpoints of six")
    for name, code, words in LATE:
        made = gpu.rlc_with(f"fail=cuEventQuery:{code}@2", "run", program, "--device", "gpu")
        gpu.expect_run(name, made, 3, words=words)
        gpu.expect(expected.startswith(made.stdout), f"{name}: shows {made.stdout!r}")
        for call in ("cuEventQuery", "cuLaunchKernel"):
            kept.unlink(missing_ok=True)
            made = gpu.rlc_with(f"fail={call}:{code}@{30 if call == 'cuEventQuery' else 6}", "run", keeping, "--device", "gpu", cwd=folder)
            gpu.expect_run(f"{name}, late, {call}", made, 3, words=words)
            gpu.expect(made.stdout and expected.startswith(made.stdout), f"{name}, {call}: shows {made.stdout!r}")
            gpu.expect(kept.exists() and kept.read_bytes() in saved, f"{name}, {call}: the checkpoint is not what was to be saved")


def compiled_once(gpu, program, cache, expected):
    """Kernels come from the cache the second time, and damaged entries count as absent."""

    def entries():
        return {p: p.read_bytes() for p in cache.rglob("*gpu-*") if p.is_file()}

    def expect(what):
        gpu.expect_run(what, gpu.rlc_with("", "run", program, "--device", "gpu", RLC_CACHE_DIR=str(cache)), 0, expected)

    expect("an empty cache")
    kept = entries()
    gpu.expect(kept, "the cache has no kernels")
    expect("a full cache")
    gpu.expect(entries() == kept, "what was in the cache was compiled again")
    for name, damage in (("truncated", lambda b: b[: len(b) // 2]), ("empty", lambda b: b""), ("changed", lambda b: b[:-9] + bytes(9 * [255]))):
        for path, content in kept.items():
            path.write_bytes(damage(content))
        expect(f"a {name} entry")
        gpu.expect(entries() == kept, f"a {name} entry was not replaced")


def products(gpu, rounding):
    """cuBLAS's failure is the run's; factors are rounded to tf32 where that was asked for, and only there."""
    for name, settings, status, words in (("cuBLAS fails", "fail=cublas:13", 3, ["cuBLAS: multiplying matrices failed with status 13"]), ("cuBLAS works", "", 0, [])):
        gpu.expect_run(name, gpu.rlc_with(settings, "run", PRODUCTS, "--device", "gpu", RLC_GPU_PRODUCT_WORK="1"), status, words=words)
    for program, settings, variables in ((ROUNDING, "", {"RLC_GPU_PRODUCT_WORK": "1"}), (LAYER, "threads=64", {"RLC_GPU_PRODUCT_WORK": "1", "RLC_GPU_GRID_WORK": "1"})):
        rounding.write_text(program, encoding="utf-8")
        for precision, wanted in (("f32", "A = 16.003"), ("tf32", "A = 16.0\n")):
            made = gpu.rlc_with(settings, "run", rounding, "--device", "gpu", "--matmul-precision", precision, **variables)
            gpu.expect(made.stdout.startswith(wanted), f"--matmul-precision {precision}: {made.stdout!r} {made.stderr[-300:]!r}")


def limited(gpu):
    """With little memory fewer lanes run at a time, to the same results; without --memory-limit the GPU is too small, and that is said."""
    command = ["run", ROOT / "benchmarks/workloads/ppo_trivial.rl", "iterations=2", "envs=128", "steps=40", "pixels=48", "width=16", "--device", "gpu"]

    def made(memory, *more):
        return gpu.rlc_with(f"threads=32,memory={memory}", *command, *more, RLC_GPU_GRID_WORK="1")

    whole = made(100_000_000)
    gpu.expect_run("3.5 MB of memory", whole, 0)
    gpu.expect_run("less memory without a limit", made(500_000), 3, "", ["--memory-limit"])
    gpu.expect_run("a seventh of the memory", made(500_000, "--memory-limit", "500K"), 0, whole.stdout)


def chosen(gpu, small, huge):
    """--device auto: the processor without a GPU and for little work, the GPU for much, and then its failure is the run's."""
    huge.write_text(HUGE, encoding="utf-8")
    failing = "fail=cuLaunchKernel:719"
    gpu.expect_run("--device auto without a GPU", gpu.rlc_without("run", small), 0)
    gpu.expect_run("--device auto with little work", gpu.rlc_with(failing, "run", small), 0)
    for speed in ("", ",clock=0", ",clock=-1"):  # a GPU that does not tell its speed is one all the same
        gpu.expect_run(f"--device auto with much work{speed}", gpu.rlc_with(failing + speed, "run", huge), 3, "")


def absent(gpu, program, expected):
    """Without NVRTC --device gpu says so and --device auto takes the processor; without cuBLAS products are kernels as everything else."""
    if not hiding(gpu, ""):
        return
    whole = gpu.rlc_with("", "run", PRODUCTS, "--device", "gpu", RLC_GPU_PRODUCT_WORK="1").stdout
    for name, hidden, file, device, status, output, words in (
        ("no NVRTC", "libnvrtc", program, "gpu", 3, "", ["no run-time compiler", "looked for", "libnvrtc", "pip install nvidia-cuda-nvrtc", "RLC_CUDA_PATH"]),
        ("no NVRTC, any device", "libnvrtc", program, "auto", 0, expected, []),
        ("no driver", "libcuda", program, "gpu", 3, "", ["libcuda.so.1 was not found", "looked for", gpu.emulated, "--device cpu"]),
        ("no cuBLAS", "libcublas", PRODUCTS, "gpu", 0, whole, []),
    ):
        made = gpu.rlc_with("", "run", file, "--device", device, RLC_GPU_PRODUCT_WORK="1", **hiding(gpu, hidden))
        gpu.expect_run(name, made, status, output, words)


def hiding(gpu, library):
    """Settings under which the library can't be opened; none under the address sanitizer, before which nothing can be loaded. What hides it
    is loaded by a link, since LD_PRELOAD takes a space in a path for the end of it."""
    sanitized = "libasan" in subprocess.run(["ldd", gpu.rlc], capture_output=True, text=True).stdout
    link = Path(LINKS.name) / "librlc_hide.so"
    if not link.exists():
        link.symlink_to(Path(gpu.emulated) / "librlc_hide.so")
    return {} if sanitized else {"LD_PRELOAD": str(link), "RLC_HIDE_LIBRARY": library}


def older_cuda(gpu, program, expected, folder):
    """A driver, NVRTC and cuBLAS of CUDA 12, by the names that they have there; cuBLAS of CUDA 13 beside them is not for that driver."""
    folder.mkdir()
    for name, target in (("libcuda.so.1", "libcuda.so.1"), ("libnvrtc.so.12", "libnvrtc.so.13"), ("libcublas.so.13", "libcublas.so.13")):
        (folder / name).symlink_to(Path(gpu.emulated) / target)
    variables = {"RLC_CUDA_PATH": str(folder), "RLC_GPU_PRODUCT_WORK": "1"}
    variables |= hiding(gpu, "libcublas.so.12")  # a real one would be asked for real memory
    for file, output in ((program, expected), (PRODUCTS, None)):
        made = gpu.rlc_with("driver=12040,nvrtc=12,fail=cublas:13", "run", file, "--device", "gpu", **variables)
        gpu.expect_run(f"CUDA 12, {file.stem}", made, 0, output)


def apart(gpu, program, expected, folder):
    """NVRTC without its library of builtins in the loader's folders: the one beside it is opened, and without one the message names it."""
    for name, status, output, words in (("together", 0, expected, []), ("alone", 3, "", ["libnvrtc-builtins.so.13.0", "NVRTC package", "RLC_CUDA_PATH"])):
        place = folder / name
        place.mkdir(parents=True)
        for library in ("libcuda.so.1", "libnvrtc.so.13", *(["libnvrtc-builtins.so.13.0"] if status == 0 else [])):
            (place / library).symlink_to(Path(gpu.emulated) / library)
        variables = {"RLC_CUDA_PATH": str(place), "RLC_CACHE_DIR": str(folder / f"cache of {name}")}
        made = gpu.rlc_with("builtins=asked", "run", program, "--device", "gpu", **variables)
        gpu.expect_run(f"builtins, {name}", made, status, output, words)


def main():
    gpu = EmulatedGpu(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "means.rl"
        program.write_text(PROGRAM, encoding="utf-8")
        good = gpu.rlc_with("", "run", program, "--device", "gpu")
        gpu.expect(good.returncode == 0 and good.stdout.count("mean") == 6, f"the program itself: status {good.returncode}, {good.stdout!r} {good.stderr[-400:]!r}")
        early(gpu, program, folder)
        late(gpu, program, good.stdout, folder)
        compiled_once(gpu, program, folder / "cache", good.stdout)
        products(gpu, folder / "rounding.rl")
        limited(gpu)
        older_cuda(gpu, program, good.stdout, folder / "cuda12")
        apart(gpu, program, good.stdout, folder / "apart")
        absent(gpu, program, good.stdout)
        chosen(gpu, program, folder / "huge.rl")
    return gpu.report()


if __name__ == "__main__":
    sys.exit(main())
