#!/usr/bin/env python3
"""Writes docs/gpu-kernels.md: what the kernels of the workloads and examples take of a GPU's processors, by the reports of this machine's
NVRTC. It needs no GPU.

  python3 scripts/gpu-kernels.py --rlc build/release/rlc --tool build/release/jit/gpu/rlc_gpu_compile
"""

import argparse
import math
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]
import gpu_check
from support.kernel_reports import SKIPPED, Report, compile_text, probe, reports

PAGE = ROOT / "docs/gpu-kernels.md"
WARP = 32


@dataclass
class Processor:
    """A GPU's processor, by the tables of the CUDA C++ Programming Guide."""

    registers: int = 65536
    warps: int = 64
    blocks: int = 32
    shared: int = 0

    def warps_of(self, report, threads):
        """How many warps of such blocks it holds, and what does not let it hold more."""
        block = math.ceil(threads / WARP)
        limits = {"threads": self.warps // block, "blocks": self.blocks}
        a_warp = math.ceil(report.registers * WARP / 256) * 256
        limits["registers"] = self.registers // a_warp // 4 * 4 // block
        limits["shared memory"] = self.shared // (math.ceil((report.shared + 1024) / 128) * 128)
        least = min(limits.values())
        names = [name for name, count in limits.items() if count == least]
        return least * block, "" if least * block == self.warps else names[0]


PROCESSORS = {80: Processor(shared=164 * 1024), 90: Processor(shared=228 * 1024)}


@dataclass
class Kernel:
    name: str
    threads: int
    line: str
    reports: dict


def text_of(rlc, program, params):
    command = [rlc, "explain", "kernels", ROOT / program, *(f"{key}={value}" for key, value in params.items()), "--device", "gpu"]
    made = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)
    if made.returncode != 0:
        sys.exit(f"gpu-kernels: {program}: {made.stderr.strip()[-300:]}")
    return made.stdout


def kernels_of(rlc, tool, program, params):
    text = text_of(rlc, program, params)
    heads = {}
    for match in re.finditer(r"__launch_bounds__\((\d+), 1\) (\w+)\(", text):
        body = text[match.end() : text.find("\n}", match.end())]
        lines = re.findall(r"// ([\w./]+:\d+): ", body)
        heads[match[2]] = (int(match[1]), max(lines, key=lines.count) if lines else "")
    made = {}
    for architecture in PROCESSORS:
        result = compile_text(tool, text, architecture)
        if result.returncode != 0:
            sys.exit(f"gpu-kernels: {program}, sm_{architecture}: {result.stderr.strip()[-500:]}")
        made[architecture] = {report.kernel: report for report in reports(result.stdout)}
    return [Kernel(name, threads, line, {a: made[a].get(name, Report(name)) for a in made}) for name, (threads, line) in heads.items()], result.stdout


def over_the_device(kernel):
    return re.match(r"rlc_\d+_(lanes|blocks)", kernel.name)


def occupancy(kernel, architecture):
    held, limit = PROCESSORS[architecture].warps_of(kernel.reports[architecture], kernel.threads)
    return f"{100 * held / PROCESSORS[architecture].warps:.0f} %" + (f", {limit}" if limit else "")


def both(kernel, what):
    values = [getattr(report, what) for report in kernel.reports.values()]
    return str(values[0]) if len(set(values)) == 1 else " / ".join(map(str, values))


def table(heads, rows):
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)] + ["| " + " | ".join(row) + " |" for row in rows])


def workloads(rlc, tool, pool):
    chosen = [row for row in gpu_check.WORKLOADS if row[0] in gpu_check.PROFILED]
    rows = []
    for (name, *_), (kernels, _) in zip(chosen, pool.map(lambda row: kernels_of(rlc, tool, row[1], row[2]), chosen)):
        for kernel in filter(over_the_device, kernels):
            rows.append([name.split(",")[0], kernel.name.removeprefix("rlc_"), kernel.line, str(kernel.threads), both(kernel, "registers"), both(kernel, "shared"),
                         both(kernel, "stack"), both(kernel, "spilled"), occupancy(kernel, 80), occupancy(kernel, 90)])
    return table(["workload", "kernel", "line", "threads", "registers", "shared", "local", "spilled", "occupancy, sm_80", "sm_90"], rows)


def examples(rlc, tool, pool):
    programs = [Path("examples") / path.name for path in sorted((ROOT / "examples").glob("*.rl"))]
    rows = []
    for program, (kernels, log) in zip(programs, pool.map(lambda path: kernels_of(rlc, tool, path, {}), programs)):
        wide = [kernel for kernel in kernels if over_the_device(kernel)]

        def most(what, kernels=kernels):
            return str(max(getattr(report, what) for kernel in kernels for report in kernel.reports.values()))

        def least(architecture, wide=wide):
            if not wide:
                return ""
            kernel = min(wide, key=lambda kernel: PROCESSORS[architecture].warps_of(kernel.reports[architecture], kernel.threads)[0])
            return f"{occupancy(kernel, architecture)} ({kernel.name.removeprefix('rlc_')})"

        rows.append([program.stem, str(len(kernels)), str(len(wide)), most("registers"), most("shared"), most("stack"), most("spilled"), least(80), least(90)])
    return table(["example", "kernels", "over the device", "registers", "shared", "local", "spilled", "least occupancy, sm_80", "sm_90"], rows)


def page(rlc, tool, compiler):
    with ThreadPoolExecutor(2) as pool:
        return f"""# What kernels take of a GPU's processors

Written by `python3 scripts/gpu-kernels.py`, from the reports of {compiler}; no GPU has run them for this page. [gpu.md](gpu.md) says how
loops become kernels.

Registers are a thread's, shared memory is a block's; local is a thread's memory for what is indexed while it runs (bytes), spilled what the registers have no room
for (bytes stored and loaded). Two numbers with a slash are those for sm_80 and sm_90. Occupancy is the share of a processor's {PROCESSORS[80].warps} warps that blocks of the kernel can take, and what lets it
take no more: less than all of them is no loss where a thread has work of its own to wait behind, as with contractions in registers, and a launch of few lanes does
not come to it at all.

## Workloads

Kernels over the whole device, by the sizes that `gpu-check.sh` measures. The line is the one that most of a kernel comes from.

{workloads(rlc, tool, pool)}

## Examples

With their own params: the most that any kernel of the program takes, and the least occupancy among those over the whole device.

{examples(rlc, tool, pool)}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--tool", required=True, help="rlc_gpu_compile")
    options = parser.parse_args()
    tried = probe(options.tool, min(PROCESSORS))
    if tried.returncode == SKIPPED:
        print("no NVRTC on this machine\n" + tried.stderr)
        return SKIPPED
    PAGE.write_text(page(options.rlc, options.tool, tried.stdout.split(" (")[0]), encoding="utf-8")
    print(f"wrote {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
