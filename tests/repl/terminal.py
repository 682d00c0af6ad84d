"""A program on a pseudo-terminal, as a person at a keyboard has it."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\x07")


class Terminal:
    def __init__(self, command, env=None, columns=100, timeout=20):
        self.timeout = timeout
        self.output = b""
        self.seen = 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, {**os.environ, **(env or {})})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))

    def _read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            piece = os.read(self.fd, 1 << 16)
        except OSError:  # the other side is closed
            return False
        self.output += piece
        return bool(piece)

    def text(self):
        """What has come since the last expect(), without control sequences."""
        return CONTROL.sub(b"", self.output).decode("utf-8", "replace").replace("\r", "")[self.seen:]

    def expect(self, words, timeout=None):
        """Waits for the words; returns what came before and with them."""
        end = time.monotonic() + (timeout or self.timeout)
        while words not in self.text():
            if time.monotonic() > end or (not self._read(0.05) and self.exited() is not None):
                assert words in self.text(), f"waited for {words!r}, saw {self.text()!r}"
        shown = self.text()
        length = shown.index(words) + len(words)
        self.seen += length
        return shown[:length]

    def send(self, text):
        os.write(self.fd, text.encode())

    def line(self, text, answer=None, timeout=None):
        """Types a line and waits for the answer and the next prompt."""
        self.send(text + "\r")
        shown = self.expect(answer, timeout) if answer else ""
        return shown + self.expect("rl> ", timeout)

    def exited(self):
        """The exit status; None: it runs."""
        if not hasattr(self, "status"):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == 0:
                return None
            self.status = os.waitstatus_to_exitcode(status)
        return self.status

    def wait(self):
        end = time.monotonic() + self.timeout
        while self.exited() is None:
            assert time.monotonic() < end, f"it does not end; {self.text()!r}"
            self._read(0.05)
        return self.status

    def close(self):
        if self.exited() is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = -signal.SIGKILL
        os.close(self.fd)
