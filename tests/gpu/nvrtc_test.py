#!/usr/bin/env python3
"""All kernels of conformance programs and examples compile with this machine's NVRTC, for sm_80 and sm_90, and those of the examples
spill no registers. Status 77 (skipped) where there is no NVRTC.

Many programs make one compilation: each in a namespace of its own, its kernels renamed.
"""

import argparse
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
INCLUDE = '#include "rlc/prelude.h"'
SKIPPED = 77
BATCH = 25


def kernels_of(rlc, program):
    """The CUDA text of a program, None where it has none (it is wrong, on purpose)."""
    text = program.read_text(encoding="utf-8")
    if re.search(r"^# (error|usage):", text, re.MULTILINE):
        return None
    made = subprocess.run([rlc, "explain", "kernels", str(program), "--device", "gpu"], capture_output=True, text=True, timeout=600)
    if made.returncode != 0:
        raise SystemExit(f"{program.name}: rlc explain ended with {made.returncode}: {made.stderr.strip()[-300:]}")
    return made.stdout


def joined(texts):
    parts = [INCLUDE]
    for number, text in enumerate(texts):
        body = text.replace(INCLUDE, "").replace("using namespace rlc::device;", "")
        body = re.sub(r"(__global__ void .*?)\brlc_(\w+)\(", rf"\1p{number}_\2(", body)
        parts.append(f"namespace p{number} {{\nusing namespace rlc::device;\n{body}\n}}")
    return "\n".join(parts)


def compile_text(tool, text, architecture):
    return subprocess.run([tool, str(architecture)], input=text, capture_output=True, text=True, timeout=900)


def spills(report):
    """(kernel, bytes) of each that stores registers to memory."""
    found, kernel = [], ""
    for line in report.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            kernel = match[1]
        if (match := re.search(r"(\d+) bytes spill stores", line)) and int(match[1]) > 0:
            found.append((kernel, int(match[1])))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--tool", required=True, help="rlc_gpu_compile")
    parser.add_argument("--every", type=int, default=1, help="each nth conformance program only")
    parser.add_argument("--architectures", default="80,90")
    parser.add_argument("--examples", default="", help="names without .rl, separated by commas; all of them without it")
    options = parser.parse_args()
    architectures = options.architectures.split(",")
    probe = compile_text(options.tool, INCLUDE + '\nextern "C" __global__ void k(float* x) { *x = 1.0f; }\n', architectures[0])
    if probe.returncode == SKIPPED:
        print("skipped: no NVRTC on this machine\n" + probe.stderr)
        return SKIPPED

    failures, kernels = [], 0
    conformance = sorted((ROOT / "tests/conformance").glob("*.rl"))[:: options.every]
    chosen = [name for name in options.examples.split(",") if name]
    examples = [p for p in sorted((ROOT / "examples").glob("*.rl")) if not chosen or p.stem in chosen]
    if len(examples) < max(1, len(chosen)):
        failures.append(f"examples are missing: {options.examples}")
    with ThreadPoolExecutor(2) as pool:
        texts = [t for t in pool.map(lambda p: kernels_of(options.rlc, p), conformance) if t]
        jobs = [("conformance programs", joined(texts[i : i + BATCH]), a, False) for i in range(0, len(texts), BATCH) for a in architectures]
        for example in examples:
            jobs += [(example.name, kernels_of(options.rlc, example), a, True) for a in architectures]
        for (name, text, architecture, strict), made in zip(jobs, pool.map(lambda job: compile_text(options.tool, job[1], job[2]), jobs)):
            kernels += text.count("__global__")
            if made.returncode != 0:
                failures.append(f"{name}, sm_{architecture}: {made.stderr.strip()[-1500:]}")
            elif strict:
                failures += [f"{name}, sm_{architecture}: {kernel} spills {count} bytes" for kernel, count in spills(made.stdout)]
    if not kernels:
        failures.append("there was no kernel to compile")
    print("\n".join(failures + [f"{kernels} kernels compiled", f"{len(jobs) - len(failures)} passed, {len(failures)} failed"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
