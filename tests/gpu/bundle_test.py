#!/usr/bin/env python3
"""The archive for machines with a GPU: small enough, runs on its own libraries alone, and its check prints every row of its table."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIMIT = 60_000_000
NO_GPU = 3
ROWS = ["date", "GPU", "conformance, cpu", "conformance, gpu", "learning: cartpole_ppo", "learning: grid_q_learning", "compute-sanitizer: conformance", "compute-sanitizer: sac_pendulum.rl", "W1 ppo-trivial, base: launches per iteration", "W2 ppo-large-obs, 3x32x32: device memory", "W3 reinforce: kernels", "W1 ", "W2 ", "W3 ", "W4 ", "W5 ", "W6 ",
]
PEERS = ["W1 ppo-trivial, base", "W2 ppo-large-obs, 3x32x32", "W3 reinforce", "W4 ppo-cartpole, 1024 environments", "W5 rollout, 65536 environments",
         "W6 sum tree, capacity 1000000", "W6 dqn-per, capacity 1000000"]
ROWS += [f"{row}: {module}" for module in ("jax", "torch") for row in PEERS]
WORK = ["conformance, gpu", "learning: grid_q_learning", "compute-sanitizer: conformance", "compute-sanitizer: reinforce_cartpole.rl", "W1 ppo-trivial, base", "W2 ppo-large-obs, 3x32x32, in 1/8 of the memory", "W3 reinforce", "W4 ppo-cartpole, 65536 environments",
        "W1 ppo-trivial, base: launches per iteration", "W6 dqn-per, capacity 1000000: launches per round of ten steps", "W4 ppo-cartpole, 1024 environments: device memory",
        "W3 reinforce: rlc_", "W5 rollout, 1048576 environments", "W6 sum tree, capacity 1000000", "W6 dqn-per, capacity 1000000"]

# In compute-sanitizer's place: runs the program after its options, and finds an error where that has the name that $UNCLEAN has.
SANITIZER = """#!/bin/sh
while [ "$1" != --log-file ]; do shift; done
log=$2; shift 2
case "$*" in
  */"$UNCLEAN"*) echo "========= Invalid __global__ read of size 4 bytes" > "$log"; exit 9 ;;
esac
echo "========= ERROR SUMMARY: 0 errors" > "$log"
exec "$@"
"""


def unclean(run, bundle, name):
    """The rows of compute-sanitizer where it finds an error in the program of this name."""
    script = "import sys, types; sys.path.insert(0, '.'); import gpu_check; t = gpu_check.Table(); gpu_check.sanitizer(t, gpu_check.ROOT / 'rlc', types.SimpleNamespace(tiny=True, quick=False), ''); sys.exit(t.failed)"
    return run("env", f"UNCLEAN={name}", "python3", "-c", script, cwd=bundle)


def too_slow(run, bundle):
    """The rows of what is learned where rlc does not come to an end."""
    slow = Path(bundle) / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    script = "import sys, types; sys.path.insert(0, '.'); import gpu_check; gpu_check.output_of.__defaults__ = (0.2, None); t = gpu_check.Table(); gpu_check.learning(t, gpu_check.ROOT / 'slow', types.SimpleNamespace(tiny=True, quick=False), ''); sys.exit(t.failed)"
    return run("python3", "-c", script, cwd=bundle)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--build", required=True, help="the build folder")
    parser.add_argument("--emulated", help="the folder of an emulated GPU's libraries")
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        # Nothing of this machine's settings: no standard library, no compiler, no GPU's libraries, an empty home.
        environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": folder, "CUDA_VISIBLE_DEVICES": "", "UNCLEAN": "none"}

        def run(*command, cwd=folder):
            return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=1500, env=environment, cwd=cwd)

        archive = Path(folder) / "bundle.tar.gz"
        made = subprocess.run([ROOT / "scripts/gpu-bundle.sh", "--build", options.build, "--output", archive, "--level", "1"], capture_output=True, text=True, timeout=800)
        if made.returncode != 0:
            sys.exit(f"gpu-bundle.sh: status {made.returncode}: {made.stderr[-400:]}\n0 passed, 1 failed")
        if archive.stat().st_size >= LIMIT:
            failures.append(f"the archive has {archive.stat().st_size} bytes")
        run("tar", "xf", archive)
        bundle = Path(folder) / "rlc-gpu"
        listed = run(bundle / "lib/ld-linux-x86-64.so.2", "--library-path", bundle / "lib", "--list", bundle / "lib/rlc").stdout
        foreign = [path for path in re.findall(r"=> (\S+)", listed) if not path.startswith(str(bundle))]
        if foreign or "libc.so" not in listed:
            failures.append(f"libraries from outside: {foreign or listed}")
        if "LLVM" in listed or "antlr" in listed:
            failures.append(f"LLVM or ANTLR is a library of its own: {listed}")
        trained = run(bundle / "rlc", "run", bundle / "examples/reinforce_cartpole.rl", "iterations=2", "--device", "cpu")
        expected = subprocess.run([options.rlc, "run", ROOT / "examples/reinforce_cartpole.rl", "iterations=2", "--device", "cpu"], capture_output=True, text=True, timeout=600)
        if trained.returncode != 0 or trained.stdout != expected.stdout:
            failures.append(f"the bundle's rlc: status {trained.returncode}, {trained.stdout!r} instead of {expected.stdout!r} {trained.stderr[-300:]}")
        check = run(bundle / "gpu-check.sh", "--tiny", cwd=bundle)
        failures += [f"gpu-check.sh has no row `{row}`:\n{check.stdout}{check.stderr[-400:]}" for row in ROWS if f"\n{row}" not in f"\n{check.stdout}"]
        if check.returncode != NO_GPU or "not measured" not in check.stdout or "FAILED" in check.stdout:
            failures.append(f"gpu-check.sh: status {check.returncode}\n{check.stdout}{check.stderr[-400:]}")
        late = too_slow(run, bundle)
        if late.returncode == 0 or late.stdout.count("FAILED") != late.returncode or "it takes more than 0.2 seconds" not in late.stdout:
            failures.append(f"learning that does not end: status {late.returncode}\n{late.stdout}{late.stderr[-400:]}")
        # On a GPU, if an emulated one: all of it runs, with next to no work in each row.
        if options.emulated:
            environment |= {"RLC_CUDA_PATH": str(Path(options.emulated).resolve()), "RLC_FAKE_GPU": "threads=32"}
            (Path(folder) / "bin").mkdir()
            (Path(folder) / "bin/compute-sanitizer").write_text(SANITIZER)
            (Path(folder) / "bin/compute-sanitizer").chmod(0o755)
            environment |= {key: os.environ[key] for key in ("RLC_CACHE_DIR",) if key in os.environ}  # compiled kernels of earlier times
            check = run(bundle / "gpu-check.sh", "--tiny", cwd=bundle)
            done = [row for row in WORK if re.search(rf"^{re.escape(row)}.*(too short to tell|wanted|passed|[0-9]$|MB taken|memory [0-9.]+ %)", check.stdout, re.MULTILINE)]
            for name in ("value_iteration.rl", "06_"):
                found = unclean(run, bundle, name)
                said = [line for line in found.stdout.splitlines() if "FAILED" in line]
                if found.returncode != 1 or len(said) != 1 or ("conformance" if name == "06_" else name) not in said[0] or "not clean: Invalid __global__ read" not in said[0]:
                    failures.append(f"an error in {name} for compute-sanitizer: status {found.returncode}\n{found.stdout}{found.stderr[-400:]}")
            # JAX's and PyTorch's programs run where those are installed, here on the processor.
            for module in ("jax", "torch"):
                said = "too short to tell" if run("python3", "-c", f"import {module}").returncode == 0 else "not measured: not installed"
                ran = [row for row in PEERS if re.search(rf"^{re.escape(row)}: {module} +{said}$", check.stdout, re.MULTILINE)]
                if ran != PEERS:
                    failures.append(f"{module}: `{said}` only for {ran}\n{check.stdout}")
            if check.returncode != 0 or len(done) < len(WORK):
                failures.append(f"gpu-check.sh on an emulated GPU: status {check.returncode}, only {done}\n{check.stdout}{check.stderr[-400:]}")
    print("\n".join(failures + [f"{len(ROWS) + 10 - len(failures)} passed, {len(failures)} failed"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
