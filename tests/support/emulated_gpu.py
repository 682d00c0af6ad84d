"""rlc with the emulated GPU's libraries, and a count of what was as expected."""

import argparse
import os
import subprocess
from pathlib import Path


class EmulatedGpu:
    """`rlc` and `emulated`, the folder of the libraries, come from the command line. `kept` are variables of rlc's that runs keep; no
    others do."""

    def __init__(self, description, kept=(), **variables):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--rlc", required=True)
        parser.add_argument("--emulated", required=True, help="the folder of the emulated libraries")
        options = parser.parse_args()
        self.rlc, self.emulated = str(Path(options.rlc).resolve()), str(Path(options.emulated).resolve())
        self.variables = {k: v for k, v in os.environ.items() if not k.startswith("RLC_") or k in kept} | variables
        self.passed, self.failures = 0, []

    def rlc_without(self, *command, cwd=None, timeout=300, **variables):
        """Where no GPU's library is to be found but by the variables."""
        environment = self.variables | variables
        return subprocess.run([self.rlc, *map(str, command)], capture_output=True, text=True, timeout=timeout, env=environment, cwd=cwd)

    def rlc_with(self, settings, *command, cwd=None, timeout=300, **variables):
        """On a GPU with these settings (see jit/gpu/testing/fake_driver.cpp)."""
        return self.rlc_without(*command, cwd=cwd, timeout=timeout, **{"RLC_CUDA_PATH": self.emulated, "RLC_FAKE_GPU": settings} | variables)

    def expect(self, good, what):
        if good:
            self.passed += 1
        else:
            self.failures.append(what)

    def expect_run(self, name, made, status, stdout=None, words=()):
        """The status, the output if it is given, and words of the message."""
        good = made.returncode == status and stdout in (None, made.stdout) and all(word in made.stderr for word in words)
        self.expect(good, f"{name}: status {made.returncode} instead of {status}, {made.stdout!r} {made.stderr[-600:]}")

    def report(self):
        """The exit status."""
        print("\n".join(self.failures + [f"{self.passed} passed, {len(self.failures)} failed"]))
        return 1 if self.failures else 0
