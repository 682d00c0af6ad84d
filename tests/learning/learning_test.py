#!/usr/bin/env python3
"""Short runs of the algorithms, by the list that `rlc bench learning` works through: one seed each, and a return below which something broke.

The return of a run is the mean over the last tenth of its reports, weighed by the episodes of each where they are reported.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def final_return(lines, metric):
    """The mean of the last tenth of a run's reports."""
    values, weights = {}, {}
    for line in lines:
        report = json.loads(line)
        if "report" not in report or len(report["index"]) != 1:
            continue
        (point,) = report["index"].values()
        {metric: values, "episodes": weights}.get(report["report"], {})[point] = report["value"]
    points = sorted(values)[-max(1, len(values) // 10):]
    total = sum(weights.get(point, 1) for point in points)
    if not points or not total:
        raise ValueError(f"no `{metric}` in the last tenth of the run")
    return sum(values[point] * weights.get(point, 1) for point in points) / total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    rows = json.loads((ROOT / "benchmarks" / "learning.json").read_text(encoding="utf-8"))
    rows = [row for row in rows if options.filter in row["name"]]
    failed = 0 if rows else 1
    for row in rows:
        command = [options.rlc, "run", str(ROOT / "examples" / row["program"]), *row["short"].get("set", []), "--json", "--quiet",
                   "--device", "cpu", "--threads", "1", "--seed", "1"]
        least = row["short"]["least"]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            if run.returncode:
                raise ValueError(f"exit status {run.returncode}: {run.stderr.strip()[-300:]}")
            value = final_return(run.stdout.splitlines(), row.get("metric", "episode return"))
            learned = value >= least  # NaN did not learn
            print(f"{'ok    ' if learned else 'FAILED'} {row['name']}: {value:.1f}, at least {least}", flush=True)
            failed += not learned
        except (ValueError, subprocess.TimeoutExpired) as error:
            print(f"FAILED {row['name']}: {error}", flush=True)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
