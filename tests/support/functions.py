"""A script whose functions `test_...` are tests."""

import argparse
import inspect
import os
import tempfile
import traceback
from pathlib import Path

from support import command


class Skipped(Exception):
    """What a test needs is not there."""


def run_functions(module, argv, name):
    """The exit status. Sets RLC of the module and of support.command; each test runs in a scratch folder, whose path it may take, and fails by an
    assertion."""
    parser = argparse.ArgumentParser(description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--filter", default="")
    options = parser.parse_args(argv)
    command.RLC = module.RLC = str(Path(options.rlc).resolve())
    tests = [(key, test) for key, test in vars(module).items() if key.startswith("test_") and options.filter in key]
    failed = skipped = 0
    for key, test in tests:
        with tempfile.TemporaryDirectory(prefix=f"rlc-{name}-") as folder:
            os.chdir(folder)
            try:
                test(*[folder][: len(inspect.signature(test).parameters)])
            except Skipped as reason:
                skipped += 1
                print(f"skipped {key}: {reason}")
            except Exception:  # an error of the script is a failure, too
                failed += 1
                print(f"FAILED {key}:\n{traceback.format_exc()}", flush=True)
            finally:
                os.chdir("/")
    print(f"{len(tests) - failed - skipped} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not tests else 0
