#!/usr/bin/env python3
"""Measures everything and writes it to docs/performance.md, between its `<!-- begin NAME -->` and `<!-- end NAME -->` lines.

    ./build.sh bench                      builds what is needed and runs this
    benchmarks/report.py --build build/release [--threads N] [--minutes M] [--only SECTION] [--print]

rlc_peer_product needs OpenBLAS (libopenblas-dev), rlc_peer_convolution oneDNN (libdnnl-dev) when the peers are built, PyTorch's rows a
Python with torch (python3-torch): `./build.sh bench` installs them (scripts/packages-bench.txt). Without them, and without JAX, rows with an
aim say that they are not measured, and the others are left out.

Sections: machine, start, phases, sum-trees, workloads, peers. Figures are medians, of three runs at least, and what they lie between stands
beside them. A peer runs in turns with rlc, --rounds times each; a ratio is the median of the turns'.

Everything together takes twelve minutes at most (--minutes): each section has its share of them and what those before it left, and what there
was no time for says so in its place. With JAX, which compiles each of its programs anew for every turn, it takes twice as long.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
ROW_SECONDS = 1    # of a workload's repeats
PEER_SECONDS = 25  # of a peer's run, warming up included: one that takes longer is ended
LATE = "\n\n(What is missing had no time left.)"


def output_of(command, seconds, **more):
    """What a command wrote, and whether it came to its end within the time."""
    try:
        done = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, timeout=max(seconds, 0.01), **more)
        return done.stdout, True
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode().rpartition("\n")[0], False


def short(value, unit=""):
    """3 digits, with the unit's prefix: 1234567 -> 1.23 M."""
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, "")):
        if abs(value) >= factor:
            scaled = value / factor
            return f"{scaled:.{max(0, 2 - len(str(int(abs(scaled)))) + 1)}f} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


class Report:
    def __init__(self, options):
        self.options = options
        self.rlc = options.build / "rlc"
        self.workloads = json.loads((ROOT / "benchmarks/workloads/workloads.json").read_text())
        self.deadline = 0  # of the section

    def left(self):
        return self.deadline - time.monotonic()

    def bench(self, kind, *more, repeats=None):
        command = [self.rlc, "bench", kind, "--threads", self.options.threads, "--repeats", repeats or self.options.repeats, *more]
        text, ended = output_of(command, self.left())
        return text.strip() + ("" if ended else LATE)

    def machine(self):
        cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
        lines = [f"Measured on {datetime.date.today().isoformat()}: {cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores, "
                 f"{self.options.threads} threads; `{output_of([self.rlc, '--version'], 10)[0].strip()}`; load average {os.getloadavg()[0]:.1f} "
                 "at the start, so that the reader knows what else ran. Regenerate with `./build.sh bench`."]
        return "\n".join(lines) + "\n\n" + self.bench("machine")

    def start(self):
        return self.bench("start", repeats=min(3, self.options.repeats))

    def google(self, name, unit):
        """A Google Benchmark program's rows: name, time, items per second."""
        program = self.options.build / "benchmarks" / name
        names, _ = output_of([program, "--benchmark_list_tests"], self.left())
        rows = []
        for each in names.split():
            filtered = f"--benchmark_filter=^{each}$"
            text, ended = output_of([program, filtered, "--benchmark_format=json", "--benchmark_min_time=0.1"], self.left(), stderr=subprocess.DEVNULL)
            if not ended:
                rows.append([each, "no time left", ""])
                continue
            row = json.loads(text)["benchmarks"][0]
            rate = short(row["items_per_second"], unit + "/s") if "items_per_second" in row else ""
            rows.append([row["name"], f"{row['cpu_time']:.3g} {row['time_unit']}", rate])
        return rows

    def phases(self):
        return table(["phase", "CPU time", "rate"], self.google("rlc_compiler_benchmark", "lines"))

    def sum_trees(self):
        rows = self.google("rlc_sum_tree_benchmark", "elements")
        return table(["capacity/batch/fan-out", "CPU time of a batch", "rate"], rows)

    def workload_tables(self):
        before, rows = self.signal(), self.bench("workloads", "--seconds", ROW_SECONDS)
        return (f"Medians of {self.options.repeats} runs, or of three where those take more than a second together. {self.signals(before)}\n{rows}")

    def peers(self):
        more = ["--filter", self.options.filter] if self.options.filter else []
        before, rows = self.signal(), self.bench("peers", "--seconds", PEER_SECONDS, *more, repeats=self.options.rounds)
        return (f"Load average {os.getloadavg()[0]:.1f} at the end. Medians of {self.options.rounds} turns. What takes more than {PEER_SECONDS} seconds "
                f"is ended. {self.signals(before)}\n{rows}")

    # What small parallel loops depend on, where threads' cores share a cache at times only.
    def signal(self):
        asked = [self.rlc, "bench", "machine", "--filter", "signal", "--json", "--threads", str(self.options.threads)]
        said = output_of(asked, 20)[0].splitlines()
        return f"{1e9 * json.loads(said[0])['all']:.0f} ns" if said else None

    def signals(self, before):
        return f"A signal from thread to thread and back took {before} before, {self.signal()} after." if before else ""

    # And its share of the time.
    SECTIONS = {"machine": (machine, 2), "start": (start, 9), "phases": (phases, 5), "sum-trees": (sum_trees, 10),
                "workloads": (workload_tables, 34), "peers": (peers, 60)}


def replaced(page, name, text):
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    if begin not in page or end not in page:
        sys.exit(f"{PAGE} has no section {name}")
    head, rest = page.split(begin, 1)
    return head + begin + "\n\n" + text.strip() + "\n\n" + end + rest.split(end, 1)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--repeats", type=int, default=5, help="runs that a median of rlc bench is of")
    parser.add_argument("--rounds", type=int, default=3, help="turns of rlc and a peer")
    parser.add_argument("--minutes", type=float, default=12, help="that everything asked for may take (default: 12)")
    parser.add_argument("--filter", help="peers: of workloads whose name contains this")
    parser.add_argument("--only", action="append", choices=list(Report.SECTIONS), help="these sections; may be repeated")
    parser.add_argument("--print", action="store_true", help="print the sections, write nothing")
    options = parser.parse_args()
    if not shutil.which(str(options.build / "rlc")):
        sys.exit(f"{options.build}/rlc is not there: ./build.sh bench builds it")
    report = Report(options)
    asked = options.only or list(Report.SECTIONS)
    whole = sum(Report.SECTIONS[name][1] for name in asked)
    begin, done = time.monotonic(), 0
    for name in asked:
        print(f"report: {name}", file=sys.stderr, flush=True)
        section, share = Report.SECTIONS[name]
        done += share
        report.deadline = begin + 60 * options.minutes * done / whole
        text = section(report)
        if options.print:
            print(f"{text}\n")
        else:
            PAGE.write_text(replaced(PAGE.read_text(), name, text))


if __name__ == "__main__":
    main()
