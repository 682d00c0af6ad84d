#!/usr/bin/env python3
"""Measures everything and writes it to docs/performance.md, between its `<!-- begin NAME -->` and `<!-- end NAME -->` lines.

    ./build.sh bench                      builds what is needed and runs this
    benchmarks/report.py --build build/release [--threads N] [--minutes M] [--only SECTION] [--print]

rlc_peer_product needs OpenBLAS (libopenblas-dev), rlc_peer_convolution oneDNN (libdnnl-dev) when the peers are built; without them their rows are left out.

Sections: machine, start, phases, sum-trees, workloads, peers. A peer runs in turns with rlc, several times each; a ratio is one
of medians. PyTorch's rows need a Python with torch (Debian: python3-torch); without it they are left out, and the report says so.

Everything together takes eight minutes at most (--minutes): each section has its share of them, a run of a workload or a peer that takes
longer than its own is ended, and what there was no time for says so in its place.
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
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
ROW_SECONDS = 1    # of a workload's repeats
PEER_SECONDS = 25  # of a peer's run, warming up included
LATE = "\n\n(What is missing had no time left.)"


def output_of(command, seconds, **more):
    """What a command wrote, and whether it came to its end within the time."""
    try:
        done = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, timeout=max(seconds, 0.01), **more)
        return done.stdout, True
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode().rpartition("\n")[0], False


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
        self.deadline = 0  # of the section

    def left(self):
        return self.deadline - time.monotonic()

    def bench(self, kind, *more):
        command = [self.rlc, "bench", kind, "--threads", self.options.threads, "--repeats", self.options.repeats, *more]
        text, ended = output_of(command, self.left())
        return text.strip() + ("" if ended else LATE)

    def machine(self):
        cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
        lines = [f"Measured on {datetime.date.today().isoformat()}: {cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores, "
                 f"{self.options.threads} threads; `{output_of([self.rlc, '--version'], 10)[0].strip()}`; load average {os.getloadavg()[0]:.1f} "
                 "at the start, so that the reader knows what else ran. Regenerate with `./build.sh bench`."]
        return "\n".join(lines) + "\n\n" + self.bench("machine")

    def start(self):
        return self.bench("start")

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
        return f"At most {ROW_SECONDS} seconds a row.\n" + self.bench("workloads", "--seconds", ROW_SECONDS)

    def rates(self, command, key, seconds):
        """The rate that a command measured, and its other figures; None where it took too long."""
        text, _ = output_of(command, min(self.left(), seconds))
        found = json_lines(text)
        return (found[0][key], found[0]) if found else (None, {})

    def peer_commands(self, python):
        """For each row that has a peer: the table, the row, the peer's command."""
        for each in self.workloads:
            for row in each["rows"]:
                if not any(text in row["name"] for text in self.options.filter or [""]):
                    continue
                if "peer" in row and python:
                    yield each, row, [python, ROOT / "benchmarks/peers" / row["peer"][0], *row["peer"][1:]]
                for program, *settings in row.get("native", []):
                    file = self.options.build / "benchmarks" / program
                    if file.exists():  # one may need a library that is not installed
                        yield each, row, [file, *settings]

    def peers(self):
        python = python_with_torch()
        rows, versions = [], set()
        commands = list(self.peer_commands(python))
        for number, (each, row, command) in enumerate(commands):
            ours, theirs, version = [], [], ""
            limit = min(PEER_SECONDS, 2 * self.left() / (len(commands) - number))  # most take less than their part
            for _ in range(self.options.rounds):
                mine, _ = self.rates([self.rlc, "bench", "workloads", "--filter", row["name"], "--threads", self.options.threads, "--repeats", 3,
                                      "--seconds", 1, "--json"], "units_per_second", limit)
                other, said = self.rates(command + ["--threads", self.options.threads, "--repeats", 1], "rate", limit)
                version = said.get("version", version)
                ours += [mine] if mine else []
                theirs += [other] if other else []
                if not mine or not other:
                    break
            language, *others = version.split(", ")  # "C++, 16 lanes, Philox": what differs comes last
            cells = [row["name"], ", ".join([language.split(" ")[0]] + others[1:]), short(statistics.median(ours), each["unit"]) if ours else "no time left"]
            if ours and theirs:
                ratio = statistics.median(ours) / statistics.median(theirs)
                cells += [short(statistics.median(theirs), each["unit"]), f"{ratio:.2g}x" if ratio < 10 else f"{ratio:.0f}x"]
            else:
                cells += [f"not within {limit:.0f} s" if self.left() > 0 else "no time left", ""]
            rows.append(cells)
            versions |= {version} - {""}
            print(cells, file=sys.stderr, flush=True)
        turns = "Once each" if self.options.rounds == 1 else f"In turns, {self.options.rounds} times each"
        lines = [f"{turns}, {self.options.threads} threads for both, load average {os.getloadavg()[0]:.1f} at the end. Peers: {'; '.join(sorted(versions))}."]
        if not python:
            lines.append("PyTorch is not installed here, so its rows are left out.")
        return "\n".join(lines) + "\n\n" + table(["workload", "peer", "rlc", "the peer", "ratio"], rows)

    # And its share of the time.
    SECTIONS = {"machine": (machine, 2), "start": (start, 4), "phases": (phases, 6), "sum-trees": (sum_trees, 10),
                "workloads": (workload_tables, 34), "peers": (peers, 40)}


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
    parser.add_argument("--rounds", type=int, default=1, help="turns of rlc and a peer")
    parser.add_argument("--minutes", type=float, default=8, help="that everything asked for may take (default: 8)")
    parser.add_argument("--filter", action="append", help="peers of workloads whose name contains this; may be repeated")
    parser.add_argument("--only", action="append", choices=list(Report.SECTIONS), help="these sections; may be repeated")
    parser.add_argument("--print", action="store_true", help="print the sections, write nothing")
    options = parser.parse_args()
    if not shutil.which(str(options.build / "rlc")):
        sys.exit(f"{options.build}/rlc is not there: ./build.sh bench builds it")
    report = Report(options)
    asked = options.only or list(Report.SECTIONS)
    whole = sum(Report.SECTIONS[name][1] for name in asked)
    for name in asked:
        print(f"report: {name}", file=sys.stderr, flush=True)
        section, share = Report.SECTIONS[name]
        report.deadline = time.monotonic() + 60 * options.minutes * share / whole
        text = section(report)
        if options.print:
            print(f"{text}\n")
        else:
            PAGE.write_text(replaced(PAGE.read_text(), name, text))


if __name__ == "__main__":
    main()
