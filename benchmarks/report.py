#!/usr/bin/env python3
"""Measures everything and writes it to docs/performance.md, between its `<!-- begin NAME -->` and `<!-- end NAME -->` lines.

    ./build.sh bench                      builds what is needed and runs this
    benchmarks/report.py --build build/release [--threads N] [--repeats N] [--only SECTION] [--print]

Sections: machine, start, phases, sum-trees, workloads, peers. A peer runs in turns with rlc, several times each; a ratio is one
of medians. PyTorch's rows need a Python with torch (Debian: python3-torch); without it they are left out, and the report says so.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"


def output_of(command, **more):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def json_lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


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


def python_with_torch():
    """A Python that has PyTorch: $RLC_PEER_PYTHON, this one, or Debian's."""
    for python in filter(None, [os.environ.get("RLC_PEER_PYTHON"), sys.executable, "/usr/bin/python3"]):
        found = subprocess.run([python, "-c", "import torch"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if found.returncode == 0:
            return python
    return None


class Report:
    def __init__(self, options):
        self.options = options
        self.rlc = options.build / "rlc"
        self.workloads = json.loads((ROOT / "benchmarks/workloads/workloads.json").read_text())

    def bench(self, kind, *more, repeats=None, json_rows=False):
        command = [self.rlc, "bench", kind, "--threads", self.options.threads, "--repeats", repeats or self.options.repeats, *more]
        return json_lines(output_of(command + ["--json"])) if json_rows else output_of(command).strip()

    def machine(self):
        cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
        lines = [f"Measured on {datetime.date.today().isoformat()}: {cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores, "
                 f"{self.options.threads} threads; `{output_of([self.rlc, '--version']).strip()}`; load average {os.getloadavg()[0]:.1f} "
                 "at the start, so that the reader knows what else ran. Regenerate with `./build.sh bench`."]
        return "\n".join(lines) + "\n\n" + self.bench("machine")

    def start(self):
        return self.bench("start")

    def google(self, name, unit):
        """A Google Benchmark program's rows: name, time, items per second."""
        text = output_of([self.options.build / "benchmarks" / name, "--benchmark_format=json", "--benchmark_min_time=0.2"])
        rows = []
        for row in json.loads(text)["benchmarks"]:
            rate = short(row["items_per_second"], unit + "/s") if "items_per_second" in row else ""
            rows.append([row["name"], f"{row['cpu_time']:.3g} {row['time_unit']}", rate])
        return rows

    def phases(self):
        return table(["phase", "CPU time", "rate"], self.google("rlc_compiler_benchmark", "lines"))

    def sum_trees(self):
        rows = self.google("rlc_sum_tree_benchmark", "elements")
        return table(["capacity/batch/fan-out", "CPU time of a batch", "rate"], rows)

    def workload_tables(self):
        return self.bench("workloads")

    def peers(self):
        python = python_with_torch()
        rows, versions = [], set()
        for each in self.workloads:
            for row in each["rows"]:
                for kind in ("peer", "native"):
                    if not any(text in row["name"] for text in self.options.filter or [""]) or kind not in row or (kind == "peer" and not python):
                        continue
                    if kind == "peer":
                        command = [python, ROOT / "benchmarks/peers" / row[kind][0], *row[kind][1:]]
                    else:
                        command = [self.options.build / "benchmarks" / row[kind][0], *row[kind][1:]]
                    ours, theirs = [], []
                    for _ in range(self.options.rounds):
                        ours += [found["units_per_second"] for found in self.bench(
                            "workloads", "--filter", row["name"], repeats=1, json_rows=True)]
                        one = json_lines(output_of(command + ["--threads", self.options.threads, "--repeats", 1]))[0]
                        theirs.append(one["rate"])
                        versions.add(one["version"])
                    mine, other = statistics.median(ours), statistics.median(theirs)
                    rows.append([row["name"], one["version"].split(" ")[0].rstrip(","), short(mine, each["unit"]),
                                 short(other, each["unit"]), f"{mine / other:.2g}x" if mine < 10 * other else f"{mine / other:.0f}x"])
                    print(rows[-1], file=sys.stderr, flush=True)
        turns = "Once each" if self.options.rounds == 1 else f"In turns, {self.options.rounds} times each"
        lines = [f"{turns}, {self.options.threads} threads for both, load average {os.getloadavg()[0]:.1f} at the end. Peers: {'; '.join(sorted(versions))}."]
        if not python:
            lines.append("PyTorch is not installed here, so its rows are left out.")
        return "\n".join(lines) + "\n\n" + table(["workload", "peer", "rlc", "the peer", "ratio"], rows)

    SECTIONS = {"machine": machine, "start": start, "phases": phases, "sum-trees": sum_trees, "workloads": workload_tables, "peers": peers}


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
    parser.add_argument("--filter", action="append", help="peers of workloads whose name contains this; may be repeated")
    parser.add_argument("--only", action="append", choices=list(Report.SECTIONS), help="these sections; may be repeated")
    parser.add_argument("--print", action="store_true", help="print the sections, write nothing")
    options = parser.parse_args()
    if not shutil.which(str(options.build / "rlc")):
        sys.exit(f"{options.build}/rlc is not there: ./build.sh bench builds it")
    report = Report(options)
    for name in options.only or Report.SECTIONS:
        print(f"report: {name}", file=sys.stderr, flush=True)
        text = Report.SECTIONS[name](report)
        if options.print:
            print(f"{text}\n")
        else:
            PAGE.write_text(replaced(PAGE.read_text(), name, text))


if __name__ == "__main__":
    main()
