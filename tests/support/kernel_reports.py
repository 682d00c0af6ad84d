"""Kernels of programs, compiled with this machine's NVRTC, and what its reports say of them."""

import re
import subprocess
from dataclasses import dataclass

INCLUDE = '#include "rlc/prelude.h"'
SKIPPED = 77  # there is no NVRTC


@dataclass
class Report:
    """What a thread and a block of one kernel take."""

    kernel: str
    registers: int = 0
    spilled: int = 0  # bytes, stored and loaded
    stack: int = 0  # bytes of local memory
    shared: int = 0  # bytes of a block


def compile_text(tool, text, architecture, *more):
    return subprocess.run([tool, str(architecture), *more], input=text, capture_output=True, text=True, timeout=900)


def probe(tool, architecture):
    """Whether there is a compiler: its run on one small kernel."""
    return compile_text(tool, INCLUDE + '\nextern "C" __global__ void k(float* x) { *x = 1.0f; }\n', architecture)


def reports(log):
    found = []
    for line in log.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            found.append(Report(match[1]))
        if not found:
            continue
        if match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
            found[-1].stack, found[-1].spilled = int(match[1]), int(match[2]) + int(match[3])
        if match := re.search(r"Used (\d+) registers", line):
            found[-1].registers = int(match[1])
            shared = re.search(r"(\d+) bytes smem", line)
            found[-1].shared = int(shared[1]) if shared else 0
    return found
