#!/usr/bin/env python3
"""Trains what benchmarks/learning.json lists, keeps every run's reports and a plot in docs/learning/, and writes docs/learning.md from all that
is kept there. Plots need gnuplot.

    benchmarks/learning.py --rlc build/release/rlc --filter cartpole --seeds 10
    benchmarks/learning.py                                              # only the page, from what is kept
"""
import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "learning"
sys.path.insert(0, str(ROOT / "tests" / "learning"))
from learning_test import final_return  # noqa: E402

HEAD = """# What the algorithms learn

Written by `benchmarks/learning.py`, which trains the examples and keeps each run's reports beside this page, in `learning/`.
The rows are in `benchmarks/learning.json`; `benchmarks/learning.py --rlc PATH --filter NAME --seeds 10` measures a row again, with seeds 0 to 9.

A return is the mean over the last tenth of a run's reports (the stochastic policy's, while it still learns), then the mean and the
standard deviation over the seeds. Published figures are of the protocol that their column names. The wall time is that of one run on one
thread, compilation included, the median over the seeds, on a machine that others kept busy at the same time. What is in the list and not
here has not been measured.

| environment | algorithm | steps | return | seeds | published | source | accept | accepted | wall time |
|---|---|---|---|---|---|---|---|---|---|
"""


def train(rlc, row, seeds):
    for seed in range(seeds):
        command = [rlc, "run", str(ROOT / "examples" / row["program"]), *row.get("set", []), "--json", "--quiet", "--device", "cpu",
                   "--threads", "1", "--seed", str(seed)]
        begin = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        keep(row["name"], seed, time.monotonic() - begin, run.stdout.splitlines())


def keep(name, seed, seconds, lines):
    (KEPT / f"{name}.{seed}.jsonl").write_text("\n".join([json.dumps({"seconds": round(seconds, 2)}), *lines]) + "\n", encoding="utf-8")


def runs(row):
    for path in sorted(KEPT.glob(f"{row['name']}.[0-9]*.jsonl")):
        yield path.read_text(encoding="utf-8").splitlines()


def plot(row, kept):
    metric = row.get("metric", "episode return")
    curves = []
    for lines in kept:
        reports = [json.loads(line) for line in lines]
        weights = {tuple(r["index"].values()): r["value"] for r in reports if r.get("report") == "episodes"}
        curves.append([(*r["index"].values(), r["value"]) for r in reports
                       if r.get("report") == metric and weights.get(tuple(r["index"].values()), 1)])
    script = [f"set terminal svg size 640,320 font 'sans,11'\nset output '{KEPT / row['name']}.svg'\nset grid\nset key off",
              f"set title \"{row['environment']}, {row['algorithm']}\"\nset ylabel 'return'\nset xlabel 'report'",
              "plot " + ", ".join(["'-' with lines"] * len(curves))]
    script += ["\n".join(f"{x} {y}" for x, y in curve) + "\ne" for curve in curves]
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)


def cells(row, kept):
    finals = [final_return([line for line in lines if "report" in line], row.get("metric", "episode return")) for lines in kept]
    mean, spread = statistics.mean(finals), statistics.stdev(finals) if len(finals) > 1 else 0.0
    accept = row.get("accept")
    seconds = statistics.median(json.loads(lines[0])["seconds"] for lines in kept)
    digits = 2 if abs(mean) < 10 else 1
    return [row["environment"], row["algorithm"], str(row.get("steps", "")), f"{mean:.{digits}f} ± {spread:.{digits}f}", str(len(finals)),
            row.get("published", ""), row.get("source", ""), "" if accept is None else f">= {accept}",
            "" if accept is None else "yes" if mean >= accept else "no", f"{seconds:.0f} s" if seconds else "not measured"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", help="the rlc binary; without it nothing is trained")
    parser.add_argument("--filter", default="")
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    rows = json.loads((ROOT / "benchmarks" / "learning.json").read_text(encoding="utf-8"))
    page, plots = HEAD, "\n## Curves\n\nA line is a seed.\n"
    KEPT.mkdir(exist_ok=True)
    for row in rows:
        if options.rlc and options.filter in row["name"]:
            train(options.rlc, row, options.seeds)
        kept = list(runs(row))
        if kept:
            plot(row, kept)
            page += "| " + " | ".join(cells(row, kept)) + " |\n"
            plots += f"\n![{row['environment']}, {row['algorithm']}](learning/{row['name']}.svg)\n"
    (ROOT / "docs" / "learning.md").write_text(page + plots, encoding="utf-8")


if __name__ == "__main__":
    main()
