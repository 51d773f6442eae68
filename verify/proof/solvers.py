"""Solvers in processes of their own: imported once, and queries answered in a fork that can be
killed.

Importing Z3 or cvc5 takes longer than most queries. A prepared process imports one solver and
forks. The fork answers one request at a time, each with a solver made for it alone. A timer kills
it when one takes too much time of the processor: a busy machine gives the same answers. After
that, after a crash, and after `ANSWERS` requests there is a new fork: no query sees what became of
another. Both processes end when the pipe is closed. The interpreter does not look for modules in
the working directory (`-P`): a file `z3.py` there is not run.
"""

import os
import struct
import subprocess
import sys
import threading
from importlib.util import find_spec
from typing import IO

from pufferproof.models.errors import expect_unix, missing_package
from pufferproof.verify.proof.limits import LEAST, PATIENCE

ANSWERS = 200
"""After how many requests a fork makes room for a new one: what a library keeps does not pile up.
"""

_LOOP = """
import io, os, select, signal, struct, sys, time
{imports}

def decide(text, print):
{decide}

def whole(source, size):
    parts = []
    while size and (part := os.read(source, min(size, 65536))):
        parts.append(part)
        size -= len(part)
    return None if size else b"".join(parts)

def sent(target, *parts):
    content = struct.pack("<Q", len(parts[-1])) + b"".join(parts)
    while content:
        content = content[os.write(target, content):]

def answers(source, target):
    while (header := whole(source, 16)) is not None:
        size, seconds = struct.unpack("<Qd", header)
        text, said = whole(source, size), io.StringIO()
        signal.setitimer(signal.ITIMER_PROF, max(seconds, {least}))  # kills it
        decide(text.decode(), lambda *values: said.write(" ".join(map(str, values)) + chr(10)))
        signal.setitimer(signal.ITIMER_PROF, 0)
        sent(target, said.getvalue().encode())

class Fork:
    def __init__(self):
        (asked, self.target), (self.source, told) = os.pipe(), os.pipe()
        self.left, self.child = {answers}, os.fork()
        if self.child == 0:
            try:
                os.close(self.target), os.close(self.source)
                answers(asked, told)
            finally:
                os._exit(0)
        os.close(asked), os.close(told)

    def ask(self, text, seconds, patience):  # None if it is not there in time
        self.left -= 1
        end, said = time.monotonic() + patience, b""
        try:
            sent(self.target, struct.pack("<d", seconds), text)
        except BrokenPipeError:
            self.left = 0
            return b""
        while len(said) < 8 or len(said) < 8 + struct.unpack("<Q", said[:8])[0]:
            ready = select.select([self.source, 0], [], [], max(0.0, end - time.monotonic()))[0]
            if 0 in ready:  # whoever asked is gone: no other request comes before this answer
                self.end()
                os._exit(0)
            part = os.read(self.source, 65536) if ready else b""
            if not part:  # its time is over, or it crashed
                self.left = 0
                return None if not ready or self.ended() == -signal.SIGPROF else b""
            said += part
        return said[8:]

    def ended(self):  # by which signal, or with which code
        status = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        self.child = 0
        return status

    def end(self):
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            self.ended()
        os.close(self.target), os.close(self.source)

signal.signal(signal.SIGPIPE, signal.SIG_IGN)
signal.signal(signal.SIGPROF, signal.SIG_DFL)
requests, replies, fork = sys.stdin.buffer, os.fdopen(os.dup(1), "wb"), None
while len(header := requests.read(24)) == 24:
    size, seconds, patience = struct.unpack("<Qdd", header)
    text = requests.read(size)
    fork = fork or Fork()
    said = fork.ask(text, seconds, patience)
    if fork.left == 0:
        fork = fork.end()
    replies.write(struct.pack("<Q?", len(said or b""), said is None) + (said or b""))
    replies.flush()
if fork:
    fork.end()
"""


class SolverProcess:
    """One prepared process.

    Args:
        imports: the import statement of the solver.
        decide: the body of a function of `text` that prints the answer. It is called again and
            again in one process, and makes all that it uses anew.
    """

    def __init__(self, imports: str, decide: str) -> None:
        body = "\n".join(f"    {line}" for line in decide.strip().splitlines())
        self._imports = imports
        self._script = _LOOP.format(imports=imports, decide=body, answers=ANSWERS, least=LEAST)
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def ask(self, text: str, seconds: float, patience: float | None = None) -> str | None:
        """Return what the solver printed, "" if it crashed, None if it was stopped after `seconds`
        of the processor, or after `patience` by the clock: `PATIENCE` times as long if left out.
        """
        limits = seconds, PATIENCE * seconds if patience is None else patience
        with self._lock:
            try:
                return self._exchange(text.encode(), limits)
            except (BrokenPipeError, EOFError):  # the process is gone: nothing is decided
                self._stop()
                return ""
            except BaseException:  # interrupted between request and reply: the pipe is out of step
                self._stop()
                raise

    def _exchange(self, text: bytes, limits: tuple[float, float]) -> str | None:
        requests, replies = self._pipes()
        requests.write(struct.pack("<Qdd", len(text), *limits) + text)
        requests.flush()
        header = replies.read(9)
        if len(header) < 9:
            raise EOFError("the prepared process ended")
        size, stopped = struct.unpack("<Q?", header)
        said = replies.read(size)
        return None if stopped else said.decode()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self._process = self._begun()
            self._owner = os.getpid()
        requests, replies = self._process.stdin, self._process.stdout
        if requests is None or replies is None:
            raise EOFError("the prepared process has no pipes")
        return requests, replies

    def _begun(self) -> "subprocess.Popen[bytes]":
        expect_unix("solvers of formulas")
        self._expect_installed()
        try:
            return subprocess.Popen(
                [sys.executable, "-P", "-c", self._script],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except TimeoutError:  # of whoever asked
            raise
        except OSError as error:
            raise EOFError("no process begins") from error

    def _expect_installed(self) -> None:
        """Raise `MissingPackageError` if an extra has the solver, and is not installed."""
        package = self._imports.split()[-1]
        missing = missing_package(ModuleNotFoundError(name=package))
        hidden = package in sys.modules and sys.modules[package] is None
        if missing and (hidden or find_spec(package) is None):
            raise missing

    def _stop(self) -> None:
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        self._process = None
