"""What a program does outside of Python while it runs: it writes files, sets variables of the
environment, starts processes, or asks the network. The next call may see it, or its
order is not one of draws; so each of these is refused by name.

Python tells of them (`sys.addaudithook`) whatever the names are under which a program calls them.
Files may be read.
"""

import os
import sys
import threading
from _thread import get_ident
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pufferproof.verify.programs.watching.elsewhere import ADVICE, importing, is_systems

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
_KEPT = "keep what the next call needs in an object that is made for every run (module:Class)"
_FILES, _PROCESS = f"changes files: {_KEPT}", "starts a process: compute in the call itself"
_NET = "uses the network: read what it needs before, from a file"
_EVENTS = {
    **dict.fromkeys(["os.putenv", "os.unsetenv"], f"sets a variable of the environment: {_KEPT}"),
    "os.chdir": f"changes the working directory: {_KEPT}",
    **dict.fromkeys(
        (
            f"os.{name}"
            for name in ["remove", "rename", "mkdir", "rmdir", "truncate", "link", "symlink"]
        ),
        _FILES,
    ),
    **dict.fromkeys((f"os.{name}" for name in ["utime", "chmod", "chown", "setxattr"]), _FILES),
    **dict.fromkeys(
        (f"os.{name}" for name in ["system", "fork", "forkpty", "exec", "spawn", "posix_spawn"]),
        _PROCESS,
    ),
    "subprocess.Popen": _PROCESS,
    **dict.fromkeys(
        (
            f"socket.{name}"
            for name in ["connect", "bind", "sendto", "getaddrinfo", "gethostbyname"]
        ),
        _NET,
    ),
    **dict.fromkeys(["ctypes.dlopen", "ctypes.dlsym"], "calls a library through ctypes"),
}
Refuse = Callable[[str], Any]
_active: list[tuple[int, Refuse]] = []  # the thread that is watched, and who refuses
_hooked = threading.Event()


@contextmanager
def outside(refuse: Refuse) -> Iterator[None]:
    """Tell of what is done outside of Python, for a while."""
    if not _hooked.is_set():
        _hooked.set()
        sys.addaudithook(_heard)
    _active.append((get_ident(), refuse))
    try:
        yield
    finally:
        _active.pop()


def _heard(event: str, given: tuple[Any, ...]) -> None:
    if not _active or _active[-1][0] != get_ident():
        return
    words = _EVENTS.get(event) or _opens(event, given)
    if words and not importing(sys._getframe(1)):
        _active[-1][1](f"it {words}")


def _opens(event: str, given: tuple[Any, ...]) -> str | None:
    """Return in words how a file or a table is opened, or None if it is read alone."""
    if event == "sqlite3.connect" and given[0] != ":memory:":
        return f"opens the database {os.fsdecode(given[0])!r}: {_KEPT}"
    if event != "open" or isinstance(given[0], int) or given[0] is None:
        return None
    path, mode, flags = given
    file = os.fsdecode(path)
    if is_systems(file):
        return f"reads {file}: {ADVICE}"
    writes = bool((flags or 0) & _WRITES) or not set("wax+").isdisjoint(mode or "")
    return f"writes {os.path.basename(file)!r}: {_KEPT}" if writes and file != os.devnull else None
