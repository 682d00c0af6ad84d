#!/usr/bin/env python3
"""All kernels of all examples and conformance programs compile with this machine's NVRTC, and those of the examples spill few registers, if
any, with --matmul-precision f32 and tf32 (an articulated body's step and attention's gradient need more than a thread has). Contractions on tensor
cores are there where they shall be. Status 77 (skipped) where there is no NVRTC.

The text of a kernel is the same for every architecture; older ones lack instructions of tensor cores. So all are compiled for the newest of
--architectures, the others get the conformance programs' kernels that use such instructions. Under tf32 the kernels that it changes are compiled.

Many programs make one compilation: each in a namespace of its own, its kernels renamed. With RLC_CACHE_DIR, what has not changed since
an earlier time is not compiled again.
"""

import argparse
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from run_conformance import Expectations, read_expectations
from support import rlc
from support.kernel_reports import INCLUDE, SKIPPED, compile_text, probe, reports

WITHOUT_CODE = "81"  # an architecture for which NVRTC gives PTX
CONTRACTIONS = ROOT / "tests/conformance/07_contractions_of_lanes.rl"
TENSOR_CORES = re.compile(r"\b(Tf32|TensorBf16)\b")  # of jit/gpu/device/contraction.h
BATCH = 40
MOST_SPILLED = 256  # bytes of a thread: they stay in the first level's cache


def kernels_of(binary, program, expected, *more):
    """The CUDA text of a program, None where it has none (it is wrong, on purpose)."""
    if expected.error or expected.usage:
        return None
    given = [a for a in expected.args if ("=" in a and not a.startswith("-")) or a.startswith("--disable-pass")]
    made = rlc.run([binary, "explain", "kernels", str(program), *given, "--device", "gpu", *more], 600)
    if made.timed_out or made.status != 0:
        raise SystemExit(f"{program.name}: rlc explain ended with {made.status}: {made.timed_out or made.stderr.strip()[-300:]}")
    return made.stdout


def expectations_of(program):
    text = program.read_text(encoding="utf-8")
    return read_expectations(text) if program.parent.name == "conformance" else Expectations()


def in_kernels(text):
    """What stands before the kernels of a text, and each of them."""
    before, *kernels = re.split(r"(?m)^(?=extern \"C\" __global__)", text)
    return before, kernels


def chosen_kernels(text, wanted):
    before, kernels = in_kernels(text)
    kept = [k for k in kernels if wanted(k)]
    return "".join([before, *kept]) if kept else ""


def joined(texts):
    parts = [INCLUDE]
    for number, text in enumerate(texts):
        body = text.replace(INCLUDE, "").replace("using namespace rlc::device;", "")
        body = re.sub(r"(__global__ void .*?)\brlc_(\w+)\(", rf"\1p{number}_\2(", body)
        parts.append(f"namespace p{number} {{\nusing namespace rlc::device;\n{body}\n}}")
    return "\n".join(parts)


def tensor_cores(binary, tool):
    """What is missing of the instructions of tensor cores: those of bf16 in any case, those of tf32 where that was asked for."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "kernels.ptx"
        for precision in ("f32", "tf32"):
            text = kernels_of(binary, CONTRACTIONS, Expectations(), "--matmul-precision", precision)
            made = compile_text(tool, text, WITHOUT_CODE, str(image))
            code = image.read_text(encoding="utf-8", errors="replace") if made.returncode == 0 else ""
            for instruction, wanted in (("mma.sync.aligned.m16n8k16.row.col.f32.bf16", True), ("mma.sync.aligned.m16n8k8.row.col.f32.tf32", precision == "tf32")):
                if (instruction in code) != wanted:
                    failures.append(f"--matmul-precision {precision}: {instruction} is {'not ' if wanted else ''}in the code {made.stderr[-300:]}")
    return failures


@dataclass
class Job:
    name: str
    text: str
    architecture: str
    strict: bool = False  # few registers may spill


def of_conformance(pool, text_of, programs, older, newest):
    texts = [t for t in pool.map(lambda p: text_of(p, expectations_of(p)), programs) if t]
    jobs = [Job("conformance programs", joined(texts[i : i + BATCH]), newest) for i in range(0, len(texts), BATCH)]
    with_tf32 = text_of(CONTRACTIONS, Expectations(), "--matmul-precision", "tf32")
    on_tensor_cores = [t for t in (chosen_kernels(t, TENSOR_CORES.search) for t in [*texts, with_tf32]) if t]
    return jobs + [Job("contractions of conformance programs", joined(on_tensor_cores), a) for a in older]


def of_examples(pool, text_of, programs, _older, newest):
    plain, rounded = (list(pool.map(lambda p: text_of(p, Expectations(), *more), programs)) for more in ((), ("--matmul-precision", "tf32")))
    jobs = [Job(p.name, text, newest, strict=True) for p, text in zip(programs, plain)]
    for program, text, before in zip(programs, rounded, plain):
        known = set(in_kernels(before)[1])
        if changed := chosen_kernels(text, lambda k: k not in known):
            jobs.append(Job(f"{program.name}, tf32", changed, newest, strict=True))
    return jobs


PARTS = {"conformance": ("tests/conformance", of_conformance), "examples": ("examples", of_examples)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--tool", required=True, help="rlc_gpu_compile")
    parser.add_argument("--of", choices=PARTS, help="only these programs")
    parser.add_argument("--filter", default="", help="a regular expression: only programs whose name has a match")
    parser.add_argument("--architectures", default="80,90", help="the newest last")
    options = parser.parse_args()
    *older, newest = options.architectures.split(",")
    tried = probe(options.tool, newest)
    if tried.returncode == SKIPPED:
        print("skipped: no NVRTC on this machine\n" + tried.stderr)
        return SKIPPED

    def text_of(program, expected, *more):
        return kernels_of(options.rlc, program, expected, *more)

    failures, jobs, kernels, entries, kept = [], [], 0, 0, 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for folder, jobs_of in [PARTS[options.of]] if options.of else PARTS.values():
            programs = [p for p in sorted((ROOT / folder).glob("*.rl")) if re.search(options.filter, p.stem)]
            jobs += jobs_of(pool, text_of, programs, older, newest)
        jobs.sort(key=lambda job: -len(job.text))  # the longest first: no thread waits for it at the end
        for job, made in zip(jobs, pool.map(lambda job: compile_text(options.tool, job.text, job.architecture), jobs)):
            kernels += job.text.count("__global__")
            compiled = reports(made.stdout)
            entries += len(compiled)
            kept += "from the cache" in made.stdout
            where = f"{job.name}, sm_{job.architecture}"
            if made.returncode != 0:
                failures.append(f"{where}: {made.stderr.strip()[-1500:]}")
            elif job.strict:
                failures += [f"{where}: {report.kernel} spills {report.spilled} bytes" for report in compiled if report.spilled > MOST_SPILLED]
    failures += tensor_cores(options.rlc, options.tool)
    if not kernels:
        failures.append("there was no kernel to compile")
    if entries != kernels and not failures:
        failures.append(f"the compiler reports on {entries} kernels, there are {kernels}")
    print("\n".join(failures + [f"{kernels} kernels; {kept} of {len(jobs)} compilations from the cache", f"{len(jobs) + 4 - len(failures)} passed, {len(failures)} failed"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
