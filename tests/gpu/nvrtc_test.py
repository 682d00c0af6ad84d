#!/usr/bin/env python3
"""All kernels of all examples compile with this machine's NVRTC, for sm_80 and sm_90, those of the conformance programs for sm_90, and those of the
examples spill few registers, if any, with --matmul-precision f32 and tf32 (an articulated body's step and attention's
gradient need more than a thread has). Contractions on tensor cores are there where they shall be. Status 77 (skipped) where there is no NVRTC.

Many programs make one compilation: each in a namespace of its own, its kernels renamed. With RLC_CACHE_DIR, what has not changed since
an earlier time is not compiled again.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from run_conformance import Expectations, read_expectations
from support.kernel_reports import INCLUDE, SKIPPED, compile_text, probe, reports

WITHOUT_CODE = "81"  # an architecture for which NVRTC gives PTX
BATCH = 40
MOST_SPILLED = 256  # bytes of a thread: they stay in the first level's cache


def kernels_of(rlc, program, expected, *more):
    """The CUDA text of a program, None where it has none (it is wrong, on purpose)."""
    if expected.error or expected.usage:
        return None
    given = [a for a in expected.args if ("=" in a and not a.startswith("-")) or a.startswith("--disable-pass")]
    made = subprocess.run([rlc, "explain", "kernels", str(program), *given, "--device", "gpu", *more], capture_output=True, text=True, timeout=600)
    if made.returncode != 0:
        raise SystemExit(f"{program.name}: rlc explain ended with {made.returncode}: {made.stderr.strip()[-300:]}")
    return made.stdout


def expectations_of(program):
    text = program.read_text(encoding="utf-8")
    return read_expectations(text) if program.parent.name == "conformance" else Expectations()


def joined(texts):
    parts = [INCLUDE]
    for number, text in enumerate(texts):
        body = text.replace(INCLUDE, "").replace("using namespace rlc::device;", "")
        body = re.sub(r"(__global__ void .*?)\brlc_(\w+)\(", rf"\1p{number}_\2(", body)
        parts.append(f"namespace p{number} {{\nusing namespace rlc::device;\n{body}\n}}")
    return "\n".join(parts)


def tensor_cores(rlc, tool):
    """What is missing of the instructions of tensor cores: those of bf16 in any case, those of tf32 where that was asked for."""
    program, failures = ROOT / "tests/conformance/07_contractions_of_lanes.rl", []
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "kernels.ptx"
        for precision in ("f32", "tf32"):
            text = kernels_of(rlc, program, Expectations(), "--matmul-precision", precision)
            made = compile_text(tool, text, WITHOUT_CODE, str(image))
            code = image.read_text(encoding="utf-8", errors="replace") if made.returncode == 0 else ""
            for instruction, wanted in (("mma.sync.aligned.m16n8k16.row.col.f32.bf16", True), ("mma.sync.aligned.m16n8k8.row.col.f32.tf32", precision == "tf32")):
                if (instruction in code) != wanted:
                    failures.append(f"--matmul-precision {precision}: {instruction} is {'not ' if wanted else ''}in the code {made.stderr[-300:]}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--tool", required=True, help="rlc_gpu_compile")
    parser.add_argument("--filter", default="", help="a regular expression: only programs whose name has a match")
    parser.add_argument("--architectures", default="80,90")
    options = parser.parse_args()
    architectures = options.architectures.split(",")
    tried = probe(options.tool, architectures[0])
    if tried.returncode == SKIPPED:
        print("skipped: no NVRTC on this machine\n" + tried.stderr)
        return SKIPPED

    failures, kernels, entries, kept = [], 0, 0, 0
    chosen = [[p for p in sorted((ROOT / folder).glob("*.rl")) if re.search(options.filter, p.stem)] for folder in ("tests/conformance", "examples")]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        conformance, examples = (list(pool.map(lambda p: kernels_of(options.rlc, p, expectations_of(p)), programs)) for programs in chosen)
        texts = [t for t in conformance if t]
        jobs = [("conformance programs", joined(texts[i : i + BATCH]), architectures[-1], False) for i in range(0, len(texts), BATCH)]
        rounded = list(pool.map(lambda p: kernels_of(options.rlc, p, Expectations(), "--matmul-precision", "tf32"), chosen[1]))
        jobs += [(example.name, text, a, True) for example, text in zip(chosen[1], examples) for a in architectures]
        jobs += [(f"{example.name}, tf32", text, architectures[-1], True) for example, text, plain in zip(chosen[1], rounded, examples) if text != plain]
        for (name, text, architecture, strict), made in zip(jobs, pool.map(lambda job: compile_text(options.tool, job[1], job[2]), jobs)):
            kernels += text.count("__global__")
            compiled = reports(made.stdout)
            entries += len(compiled)
            kept += "from the cache" in made.stdout
            if made.returncode != 0:
                failures.append(f"{name}, sm_{architecture}: {made.stderr.strip()[-1500:]}")
            elif strict:
                failures += [f"{name}, sm_{architecture}: {report.kernel} spills {report.spilled} bytes" for report in compiled if report.spilled > MOST_SPILLED]
    failures += tensor_cores(options.rlc, options.tool)
    if not kernels:
        failures.append("there was no kernel to compile")
    if entries != kernels and not failures:
        failures.append(f"the compiler reports on {entries} kernels, there are {kernels}")
    print("\n".join(failures + [f"{len(texts)} conformance programs, {len(examples)} examples, {kernels} kernels; {kept} of {len(jobs)} compilations from the cache",
                                f"{len(jobs) + 4 - len(failures)} passed, {len(failures)} failed"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
