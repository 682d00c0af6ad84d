#!/usr/bin/env python3
"""All conformance programs, and random ones, in native code as it is made with all passes, without each pass in turn, and
without random ones; random programs are compared with the interpreter, conformance programs with what they expect. It takes
an hour or more; the test run does a part of it.

    all_passes.py --rlc build/release/rlc --count 200 --filter '^0[46]_'
"""

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--count", type=int, default=200, help="random programs")
    parser.add_argument("--filter", default="", help="only conformance programs whose name matches this expression")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for each program")
    options = parser.parse_args(argv)
    shared = ["--rlc", options.rlc, "--jobs", str(options.jobs), "--timeout", str(options.timeout), "--seed", str(options.seed)]
    failed = 0
    for passes in ("all", "each", "random"):
        for script, own in (("run_conformance.py", ["--filter", options.filter]), ("random/compare.py", ["--count", str(options.count)])):
            print(f"{script}: {passes} passes", flush=True)
            failed += subprocess.run([sys.executable, str(HERE / script), "--passes", passes, *shared, *own]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
