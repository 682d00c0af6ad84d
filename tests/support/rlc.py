"""Runs rlc in a scratch folder, within a time limit, and reads its diagnostics."""

import json
import os
import re
import select
import signal
import subprocess
import tempfile
import threading
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
    try:
        seconds = processor_seconds(Path(f"/proc/{pid}/stat").read_text())  # of ended threads, too
    except OSError:
        seconds = 0.0
    threads = []
    for task in sorted(Path(f"/proc/{pid}/task").glob("*")):
        try:
            stat = (task / "stat").read_text()
            waits = " ".join((task / name).read_text().strip() for name in ("wchan", "syscall"))
        except OSError:
            continue
        threads.append(f"{stat.rpartition(')')[2].split()[0]} {processor_seconds(stat):.2f} s {waits}")
    return seconds, f"{seconds:.2f} s of processor time; threads: {'; '.join(threads)}"


def limited(pid, timeout, wait):
    """What `wait(timeout)` gives; where a process is over its time, that is killed. Also what it did then, else nothing.

    What is over its time without having had half of it from a processor gets more: the machine may have stood still.
    """
    before, _ = doing(pid)
    for waited in range(1, PATIENCE + 1):
        try:
            return wait(timeout), ""
        except subprocess.TimeoutExpired:
            seconds, did = doing(pid)
            if seconds - before < timeout / 2 and waited < PATIENCE:
                continue
            os.killpg(pid, signal.SIGKILL)
            return wait(None), did


class Many(threading.local):
    """Each thread's process of rlc_many (many.cpp): it runs one command after the other, until one ends it."""

    process = None

    def run(self, program, arguments, folder, timeout):
        """The exit status, stdout, stderr, and what it did when its time was over."""
        if self.process is not None and self.process.poll() is not None:  # it ended behind its last answer
            self.ended()
        if self.process is None:
            self.process = subprocess.Popen(
                [program], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        with tempfile.TemporaryDirectory(prefix="rlc-test-") as said:
            files = [os.path.join(said, name) for name in ("stdout", "stderr")]
            for file in files:
                Path(file).touch()
            asked = {"arguments": arguments, "folder": folder, "stdout": files[0], "stderr": files[1]}
            self.process.stdin.write(json.dumps(asked).encode() + b"\n")
            self.process.stdin.flush()
            answer, timed_out = limited(self.process.pid, timeout, self.answer)
            status = int(answer) if answer and not timed_out else self.ended()
            return status, *(Path(file).read_bytes() for file in files), timed_out

    def answer(self, timeout):
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(self.process.args, timeout)
        return self.process.stdout.readline()

    def ended(self):
        with self.process as process:  # its pipes are closed
            self.process = None
        return process.returncode


MANY = Many()


def environment():
    return dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8")


def run_alone(command, folder, timeout):
    """The exit status, stdout, stderr, and what it did when its time was over."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        (out, err), timed_out = limited(process.pid, timeout, lambda seconds: process.communicate(timeout=seconds))
    return process.returncode, out, err, timed_out


def run(command, timeout=10.0, files=None, folder=None):
    """Runs `command` in `folder`, or in a scratch folder of its own, which has `files` (name to text)."""
    timeout *= SLOWDOWN
    with tempfile.TemporaryDirectory(prefix="rlc-test-") as scratch:
        for name, text in (files or {}).items():
            with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
                file.write(text)
        if Path(command[0]).name == "rlc_many":
            status, out, err, timed_out = MANY.run(command[0], command[1:], str(folder or scratch), timeout)
        else:
            status, out, err, timed_out = run_alone(command, folder or scratch, timeout)
    return Outcome(command, status, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), timed_out)
