"""Runs rlc in a scratch folder, within a time limit, and reads its diagnostics."""

import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass

DIAGNOSTIC = re.compile(
    r"^(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): (?P<severity>error|warning)\[(?P<code>E\d{4})\]: (?P<message>.*)$"
)
INTERNAL = re.compile(
    r"terminate called|what\(\):|std::|Assertion|assertion failed|AddressSanitizer|runtime error:|"
    r"UndefinedBehaviorSanitizer|isl_|internal error|core dumped|Stack dump|LLVM ERROR",
)


@dataclass
class Diagnostic:
    code: str
    line: int
    column: int
    message: str
    severity: str
    text: str  # the message with its source lines, notes and hints


@dataclass
class Outcome:
    command: list
    status: int
    stdout: str
    stderr: str
    timed_out: bool

    def lines(self):
        return [line for line in self.stdout.splitlines() if line.strip()]

    def crash(self):
        """One sentence if rlc did something that no input may make it do, else None."""
        if self.timed_out:
            return "ran past its time limit"
        if self.status < 0:
            return f"was killed by {signal.Signals(-self.status).name}"
        if self.status not in (0, 1, 2, 3):
            return f"ended with status {self.status}"
        found = INTERNAL.search(self.stderr)
        return f"printed `{found.group()}`" if found else None

    def diagnostics(self, severity="error"):
        result = []
        for line in self.stderr.splitlines():
            match = DIAGNOSTIC.match(line)
            if match:
                result.append(
                    Diagnostic(
                        match["code"],
                        int(match["line"]),
                        int(match["column"]),
                        match["message"],
                        match["severity"],
                        line,
                    )
                )
            elif result:
                result[-1].text += "\n" + line
        return [diagnostic for diagnostic in result if diagnostic.severity == severity]


def run(command, timeout=10.0, files=None):
    """Runs `command` in a scratch folder of its own, which has `files` (name to text)."""
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory(prefix="rlc-test-") as scratch:
        for name, text in (files or {}).items():
            with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
                file.write(text)
        with subprocess.Popen(
            command,
            cwd=scratch,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(timeout=timeout)
                timed_out = False
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
                timed_out = True
    return Outcome(
        command, process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), timed_out
    )
