"""Runs of the kernel as a program, in copies of one process that has read its files before.

It is the interpreter and the folder of `python -I -S verify/kernel`, and `main` in a process of its
own with so much memory; what it costs to start the interpreter is paid once.
"""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from tests.kernel.reading_list import KERNEL

GIGABYTE = 1_000_000_000
SERVER = """
import json, os, resource, runpy, sys
main = runpy.run_path(sys.argv[1], run_name="kernel")["main"]
for line in sys.stdin:
    words, memory, out, err = json.loads(line)
    child = os.fork()
    if not child:
        code = 3
        try:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            for stream, file in ((1, out), (2, err)):
                os.lseek(file, 0, os.SEEK_SET)
                os.dup2(file, stream)
            code = main(words)
        finally:
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Server:
    """The process that is copied, and the files that its copies write to."""

    def __init__(self) -> None:
        self.out, self.err = TemporaryFile(), TemporaryFile()  # noqa: SIM115
        line = [sys.executable, "-I", "-S", "-c", SERVER, str(KERNEL)]
        pipe, files = subprocess.PIPE, [self.out.fileno(), self.err.fileno()]
        self.process = subprocess.Popen(line, stdin=pipe, stdout=pipe, text=True, pass_fds=files)

    def __del__(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()  # at the end of which it ends
        self.process.stdout.close()
        self.process.wait()

    def run(self, words: list[str], memory: int) -> subprocess.CompletedProcess[str]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for file in (self.out, self.err):
            file.truncate(0)
        asked = [words, memory, self.out.fileno(), self.err.fileno()]
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        code = int(self.process.stdout.readline())
        said = [self.said(file) for file in (self.out, self.err)]
        return subprocess.CompletedProcess(words, code, *said)

    def said(self, file: IO[bytes]) -> str:
        file.seek(0)
        return file.read().decode()


@cache
def server() -> Server:
    return Server()


def run(*words: str | Path, memory: int = GIGABYTE) -> subprocess.CompletedProcess[str]:
    """Run the kernel with these words and so many bytes of memory."""
    return server().run([*map(str, words)], memory)
