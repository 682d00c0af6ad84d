"""Runs rlc in a scratch folder, within a time limit, and reads its diagnostics."""

import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

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
    timed_out: str  # what it did when its time was over; else empty

    def lines(self):
        return [line for line in self.stdout.splitlines() if line.strip()]

    def crash(self):
        """One sentence if rlc did something that no input may make it do, else None."""
        if self.timed_out:
            return f"ran past its time limit: {self.timed_out}"
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


PATIENCE = 4  # so many times its limit a process may take that the machine does not run
SLOWDOWN = float(os.environ.get("RLC_TEST_SLOWDOWN", "1"))  # limits are so many times as long: for an emulated processor


def processor_seconds(stat):
    return sum(int(field) for field in stat.rpartition(")")[2].split()[11:13]) / os.sysconf("SC_CLK_TCK")


def doing(pid):
    """The seconds of processor time that a process has used; the same in words, with each thread's state and what it waits for."""
    seconds, threads = 0.0, []
    for task in sorted(Path(f"/proc/{pid}/task").glob("*")):
        try:
            stat = (task / "stat").read_text()
            waits = " ".join((task / name).read_text().strip() for name in ("wchan", "syscall"))
        except OSError:
            continue
        seconds += processor_seconds(stat)
        threads.append(f"{stat.rpartition(')')[2].split()[0]} {processor_seconds(stat):.2f} s {waits}")
    return seconds, f"{seconds:.2f} s of processor time; threads: {'; '.join(threads)}"


def run(command, timeout=10.0, files=None):
    """Runs `command` in a scratch folder of its own, which has `files` (name to text).

    What is over its time without having had half of it from a processor gets more: the machine may have stood still.
    """
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8")
    timeout *= SLOWDOWN
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
            timed_out = ""
            for waited in range(1, PATIENCE + 1):
                try:
                    out, err = process.communicate(timeout=timeout)
                    break
                except subprocess.TimeoutExpired:
                    seconds, did = doing(process.pid)
                    if seconds < timeout / 2 and waited < PATIENCE:
                        continue
                    timed_out = did
                    os.killpg(process.pid, signal.SIGKILL)
                    out, err = process.communicate()
                    break
    return Outcome(
        command, process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), timed_out
    )
