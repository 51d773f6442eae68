"""Solvers in processes of their own: imported once, and every query answered in a fork that can be
killed.

Importing Z3 or cvc5 takes longer than most queries. A prepared process imports one solver, then
answers requests one at a time: it forks, the fork decides and prints, and is killed when its time
is over. A crash or a time-out of one query is never seen by another. The prepared process and its
fork end when the pipe to it is closed. Its interpreter does not look for modules in the working
directory (`-P`): a file `z3.py` that lies there is not run.
"""

import os
import struct
import subprocess
import sys
import threading
from typing import IO

_LOOP = """
import os, select, signal, struct, sys, time
{imports}

def decide(text):
{decide}

def answer(text, seconds):
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        os.dup2(writable, 1)
        try:
            decide(text)
            sys.stdout.flush()
        finally:
            os._exit(0)
    os.close(writable)
    parts, end = [], time.monotonic() + seconds
    while ready := select.select([readable, 0], [], [], max(0.0, end - time.monotonic()))[0]:
        if 0 in ready:  # whoever asked is gone: no other request comes before this answer
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os._exit(0)
        part = os.read(readable, 65536)
        if not part:
            break
        parts.append(part)
    else:
        os.kill(child, signal.SIGKILL)
        parts = None
    os.close(readable)
    os.waitpid(child, 0)
    return parts

requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
while len(header := requests.read(16)) == 16:
    size, seconds = struct.unpack("<Qd", header)
    parts = answer(requests.read(size).decode(), seconds)
    said = b"" if parts is None else b"".join(parts)
    replies.write(struct.pack("<Q?", len(said), parts is None) + said)
    replies.flush()
"""


class SolverProcess:
    """One prepared process.

    Args:
        imports: the import statement of the solver.
        decide: the body of a function of `text` that prints the answer.
    """

    def __init__(self, imports: str, decide: str) -> None:
        body = "\n".join(f"    {line}" for line in decide.strip().splitlines())
        self._script = _LOOP.format(imports=imports, decide=body)
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def ask(self, text: str, seconds: float) -> str | None:
        """Return what the solver printed, "" if it crashed, None if it was stopped after
        `seconds`.
        """
        with self._lock:
            try:
                return self._exchange(text.encode(), seconds)
            except (BrokenPipeError, EOFError):  # the prepared process is gone: nothing was decided
                self._stop()
                return ""
            except BaseException:  # interrupted between request and reply: the pipe is out of step
                self._stop()
                raise

    def _exchange(self, text: bytes, seconds: float) -> str | None:
        requests, replies = self._pipes()
        requests.write(struct.pack("<Qd", len(text), seconds) + text)
        requests.flush()
        header = replies.read(9)
        if len(header) < 9:
            raise EOFError("the prepared process ended")
        size, stopped = struct.unpack("<Q?", header)
        said = replies.read(size)
        return None if stopped else said.decode()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", self._script],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._owner = os.getpid()
        requests, replies = self._process.stdin, self._process.stdout
        if requests is None or replies is None:
            raise EOFError("the prepared process has no pipes")
        return requests, replies

    def _stop(self) -> None:
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        self._process = None
