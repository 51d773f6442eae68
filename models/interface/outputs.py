"""Writing files whole or not at all, several of them all or none.

A file is written under a hidden name beside its target and put in place at the end. What a killed
run left behind under such a name is removed by the next one that writes the same, if no other
process has it open and nothing is lost with it. Where files cannot be locked, as on Windows, it
stays.
"""

import errno
import os
import re
import signal
import stat
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pufferproof.models.errors import ModelError

try:
    import fcntl

    LOCKS = True
except ModuleNotFoundError:  # Windows
    LOCKS = False

_LONGEST = 40  # characters of a target's name in a hidden one: names have at most 255 bytes


def write_atomically(path: str | Path, text: str) -> None:
    """Write a text file whole or not at all: an existing file is only replaced once the new one
    is complete.
    """
    write_all_atomically({str(path): text.encode()})


def write_all_atomically(files: Mapping[str, bytes]) -> None:
    """Write several files, all or none: nothing is replaced before every new file is complete
    beside its target. A file that is replaced keeps its rights.

    A link is followed; what is neither absent nor a regular file is refused. Raises `ModelError`.
    """
    staged: dict[Path, str] = {}
    with cleaned_up(), ExitStack() as opened:
        try:
            for path, data in files.items():
                try:
                    target = _target(path)
                    if target in staged:
                        raise ModelError("cannot be written twice: expected different files", path)
                    # a hidden name beside the target, locked while it is open
                    handle, name = tempfile.mkstemp(dir=target.parent, prefix=hidden_prefix(target), suffix=".partial")
                    locked(handle)
                    stream, staged[target] = os.fdopen(handle, "wb"), name
                    opened.enter_context(stream)
                    stream.write(data)
                    stream.flush()
                    try:
                        rights = stat.S_IMODE(os.lstat(target).st_mode)
                    except FileNotFoundError:  # those that a new file has
                        current = os.umask(0)
                        os.umask(current)
                        rights = 0o666 & ~current
                    os.chmod(staged[target], rights)
                except OSError as error:
                    raise ModelError(f"cannot be written: {error.strerror}", path) from None
                except ValueError as error:  # a null byte in the name
                    raise ModelError(f"cannot be written: {error}", path) from None
            if not LOCKS:
                opened.close()  # an open file can be neither locked nor replaced there
            for target, temporary in list(staged.items()):
                os.replace(temporary, target)
                del staged[target]
        finally:
            for temporary in staged.values():
                with suppress(OSError):
                    os.unlink(temporary)
    for path, data in files.items():
        with suppress(OSError):
            # hidden, unlocked files that hold only a beginning of the target are left over
            for left in hidden_beside(_target(path)) if LOCKS else []:
                with suppress(OSError), open(os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
                    if left.is_file() and locked(file.fileno()) and data.startswith(file.read(len(data) + 1)):
                        left.unlink()


def expect_writable(path: str, folder: bool = False) -> None:
    """Raise `ModelError` unless a file, or a folder, can be made or replaced at a path, as far as
    that is seen without writing.
    """
    try:
        target = Path(os.path.realpath(path)) if folder else _target(path)
        place = target if folder else target.parent
        while folder and not os.path.lexists(place):
            place = place.parent
        if not stat.S_ISDIR(os.stat(place).st_mode):
            raise ModelError("cannot be written: expected a folder or nothing", path)
    except OSError as error:
        raise ModelError(f"cannot be written: {error.strerror}", path) from None
    except ValueError as error:  # a null byte in the name
        raise ModelError(f"cannot be written: {error}", path) from None
    if not os.access(place, os.W_OK | os.X_OK):
        raise ModelError(f"cannot be written: {os.strerror(errno.EACCES)}", path)


@contextmanager
def cleaned_up() -> Iterator[None]:
    """Let the body clean up as when it is interrupted if this process is told to end (TERM,
    HUP), and end it then.
    """
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    there = threading.current_thread() is threading.main_thread()
    signals = [getattr(signal, name) for name in names] if there else []
    default = [number for number in signals if signal.getsignal(number) is signal.SIG_DFL]
    received: list[int] = []

    def stop(number: int, _: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    for number in default:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in default:
            signal.signal(number, signal.SIG_DFL)
        if received:
            os.kill(os.getpid(), received[0])


def hidden_prefix(target: Path) -> str:
    """Return how the hidden names begin under which a target is prepared."""
    return f".{target.name[:_LONGEST]}."


def hidden_beside(target: Path) -> list[Path]:
    """Return what there is under hidden names of a target."""
    pattern = re.compile(re.escape(hidden_prefix(target)) + r"[a-z0-9_]{8}\.partial")
    return sorted(path for path in target.parent.iterdir() if pattern.fullmatch(path.name))


def locked(handle: int, wait: bool = False) -> bool:
    """Lock an open file or folder until it is closed or this process ends; False if another
    process has it locked and this one does not `wait`, or if nothing can be locked here.
    """
    if not LOCKS:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def _target(path: str) -> Path:
    target = Path(os.path.realpath(path))
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.lstat(target).st_mode):  # a link is still there if it leads to itself
            raise ModelError("cannot be written: expected a regular file or none", path)
    return target
