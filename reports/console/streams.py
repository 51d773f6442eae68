"""Standard streams that are closed or full, or whose reader has gone: what is lost is noticed.

A command writes its answer to `answer_stream()`, all else to `sys.stderr`. While `guarded` holds,
text that cannot be written is dropped: on standard error without a word; on standard output the
failure is kept, so that the command can say that its answer was lost. A reader that has gone, as
`head` does, is no failure.

What others print is no part of the answer, as the functions that a user gives may: `aside` sends
what Python prints while a command runs to standard error, and `keep_answer` what is written on
descriptor 1.
"""

import errno
import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from pufferproof.models.interface.steps import watched
from pufferproof.reports.console.labels import wrapped

if TYPE_CHECKING:
    from rich.progress import Task

# Progress on standard error: only on a terminal, only for work over a second, gone when done.

_PATIENCE_SECONDS = 1.0


@contextmanager
def working(text: str, seconds: float | None = None) -> Iterator[Callable[[str], None]]:
    """Show a spinner with `text`, how many steps of a loop are done, and the time that has passed
    on standard error while the body runs, once it has run for a second.

    Yields a function that replaces the text; it does nothing if no spinner is shown.

    Args:
        seconds: a limit on the time, of which the share is shown that has passed.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda text: None
        return

    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Share(ProgressColumn):
        def render(self, task: "Task") -> Text:
            return Text("" if seconds is None else share_text(task.elapsed or 0.0, seconds))

    description = TextColumn("{task.description}{task.fields[steps]}", markup=False)
    columns = SpinnerColumn(), description, TimeElapsedColumn(), Share()
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task(text, total=None, steps="")
    timer = threading.Timer(_PATIENCE_SECONDS, shown.start)
    timer.daemon = True
    timer.start()
    try:
        with watched(lambda done: shown.update(task, steps=f": {done}")):
            yield lambda said: shown.update(task, description=said, steps="")
    finally:
        timer.cancel()
        timer.join()
        if shown.live.is_started:
            shown.stop()


def share_text(passed: float, seconds: float) -> str:
    """Say which share of a limit on time has passed.

    >>> share_text(20.4, 60)
    '34 % of at most 60 s'
    """
    return f"{min(100, round(100 * passed / seconds))} % of at most {seconds:g} s"


_USUAL_COLUMNS, _LEAST_COLUMNS = 80, 40


class GuardedStream:
    """A text stream that drops text from the first failure on.

    `failure` says why text was lost, and is None as long as none was. `quiet`, of standard error,
    says that notes and progress are not wanted.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.failure: str | None = None
        self.quiet = False
        self._stream = stream
        self._dropping = stream is None
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write text, or drop it."""
        if self._stream is None and text:
            self.failure = "it is closed"
        self._attempt("write", text)
        return len(text)

    def flush(self) -> None:
        """Write what is buffered, or drop it."""
        self._attempt("flush")

    def drop(self) -> None:
        """Drop what is buffered, and all that follows."""
        self._dropping = True
        if self._stream is not None:
            with suppress(OSError, ValueError, AttributeError):
                unread = os.open(os.devnull, os.O_WRONLY)
                # what is buffered goes there when the interpreter ends
                os.dup2(unread, self._stream.fileno())
                os.close(unread)

    def isatty(self) -> bool:
        """Whether a terminal is written to, and wants more than messages."""
        usable = self._stream is not None and not self._dropping and not self.quiet
        return usable and self._stream is not None and self._stream.isatty()

    @property
    def encoding(self) -> str:
        """The encoding of the text."""
        return "utf-8" if self._stream is None else self._stream.encoding

    def __getattr__(self, name: str) -> object:
        if self._stream is None:
            raise (
                io.UnsupportedOperation(f"a closed stream has no {name}") if name == "fileno" else AttributeError(name)
            )
        return getattr(self._stream, name)

    def _attempt(self, method: str, *arguments: str) -> None:
        if self._dropping:
            return
        try:
            getattr(self._stream, method)(*arguments)
        except (OSError, ValueError) as error:  # ValueError: closed by somebody in this process
            if not isinstance(error, OSError) or error.errno != errno.EPIPE:
                self.failure = (error.strerror if isinstance(error, OSError) else None) or str(error)
            self.drop()


@contextmanager
def guarded() -> Iterator[GuardedStream]:
    """Guard both streams while the body runs, and give it the one of standard output."""
    before = sys.stdout, sys.stderr
    out, err = GuardedStream(sys.stdout), GuardedStream(sys.stderr)
    sys.stdout, sys.stderr = out, err
    try:
        yield out
    finally:
        out.flush()
        err.flush()
        sys.stdout, sys.stderr = before


_ANSWERS: list[TextIO] = []  # where answers go of commands that run, the innermost last


@contextmanager
def aside() -> Iterator[None]:
    """Lead `sys.stdout` to standard error while the body runs; `answer_stream` has what it was."""
    _ANSWERS.append(sys.stdout)
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        sys.stdout = _ANSWERS.pop()


def answer_stream() -> TextIO:
    """Return the stream that a command writes its answer to."""
    return _ANSWERS[-1] if _ANSWERS else sys.stdout


def columns_of(stream: TextIO) -> int | None:
    """Return how many columns the terminal of a stream has, or None if it is no terminal."""
    if stream is None or not stream.isatty():
        return None
    try:
        columns = int(os.environ.get("COLUMNS", "0"))
    except ValueError:
        columns = 0
    with suppress(OSError, ValueError, AttributeError):
        columns = columns or os.get_terminal_size(stream.fileno()).columns
    return max(columns or _USUAL_COLUMNS, _LEAST_COLUMNS)


def print_lines(*lines: str) -> None:
    """Print lines of an answer, which break between words where a terminal is narrower."""
    stream = answer_stream()
    columns = columns_of(stream)
    print(*(row for line in lines for row in wrapped(line, columns)), sep="\n", file=stream)


def paragraph(label: str, text: str, usual: int) -> list[str]:
    """Return the lines of a paragraph behind a label: as wide as a terminal, at most `usual`."""
    columns = min(columns_of(answer_stream()) or usual, usual)
    return wrapped(f"{label:<10}{text}", columns)


def print_error(line: str) -> None:
    """Print a line on standard error, which breaks between words where a terminal is narrower."""
    print(*wrapped(f"pufferproof: {line}", columns_of(sys.stderr)), sep="\n", file=sys.stderr)


def keep_answer() -> bool:
    """Write what Python prints to a copy of descriptor 1, and lead descriptor 1 to standard error
    until this process ends: text of libraries and of processes that are started then stands in no
    answer. Return whether this was done.

    Nothing changes where `sys.stdout` writes elsewhere, as in a test.
    """
    before = sys.stdout
    try:
        if not isinstance(before, io.TextIOWrapper) or before.fileno() != 1:
            return False
        before.flush()
        kept = os.dup(1)
    except (OSError, ValueError):  # closed or full, which the first answer finds out
        return False
    os.dup2(2, 1)
    binary = os.fdopen(kept, "wb", 0 if before.write_through else -1)
    sys.stdout = io.TextIOWrapper(  # `sys.__stdout__` writes where descriptor 1 does
        binary, before.encoding, before.errors, line_buffering=before.line_buffering, write_through=before.write_through
    )
    return True


def end_answer() -> None:
    """Lead `sys.stdout` to where descriptor 1 leads after `keep_answer`."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
    sys.stdout = sys.__stdout__


def open_missing() -> None:
    """Open what is closed of the descriptors 0, 1, 2, so that no file that is written takes
    their place.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the least that is free
