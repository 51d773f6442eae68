"""What the commands share: option types, levels, warnings, and output that is written whole or not at all."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pufferproof.models.errors import ModelError

if TYPE_CHECKING:
    from pufferproof.verify.audit import Verdict

FrameworkFile = Annotated[str, typer.Argument(metavar="FRAMEWORK", help="framework file, JSON or TOML")]
MechanismFile = Annotated[
    str, typer.Argument(metavar="MECHANISM", help="mechanism file (JSON, TOML, CSV, .npy) or module:function")
]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object on standard output")]
CertificateOut = Annotated[
    str | None, typer.Option("--certificate", metavar="FILE", help="write a certificate that the kernel has accepted")
]
Normalize = Annotated[bool, typer.Option("--normalize", help="divide every row of the mechanism by its sum")]
Databases = Annotated[
    str | None, typer.Option("--databases", metavar="FILE", help="row labels of a .npy matrix, one per line")
]
TrustCode = Annotated[bool, typer.Option("--trust-code", help="permit module:function, which runs that module's code")]


def parsed_level(text: str | None, option: str = "--epsilon") -> Any:
    """Read a LEVEL option. Raises `ModelError`, naming the option, unless it is a level."""
    from pufferproof.models.level import Level

    try:
        return None if text is None else Level.parse(text)
    except ModelError as error:
        raise error.within(option) from None


def exit_code(verdict: "Verdict | None") -> int:
    """Return the exit code of a verdict: 1 for a violated level, 3 for an undecided one, else 0."""
    return 0 if verdict is None else {"VIOLATES": 1, "UNDECIDED": 3}.get(verdict.value, 0)


def write_outputs(
    files: dict[str, bytes], *named: str | None, inputs: Sequence[str | None], folder: str | None = None
) -> None:
    """Write all files that a command was asked for, or none of them; never over what was read, nor two into one.

    `folder` is made where it is missing, and removed again where the files cannot be written.
    """
    from pufferproof.models.files import write_all_atomically

    taken = {os.path.realpath(path) for path in inputs if path is not None}
    for path in filter(None, named):
        if os.path.realpath(path) in taken:
            raise ModelError("is read or written by this command already, expected another file", path)
        taken.add(os.path.realpath(path))
    made = [] if folder is None else make_folder(folder)
    try:
        write_all_atomically(files)
    except BaseException:
        _removed(made)
        raise


def make_folder(folder: str) -> list[str]:
    """Make a folder and those it is in, and return what was missing, the innermost first; all or none.

    Raises `ModelError` unless it is there then.
    """
    missing = [path for path in (Path(folder), *Path(folder).parents) if not os.path.lexists(path)]
    made: list[str] = []
    try:
        for path in reversed(missing):
            with suppress(FileExistsError):
                os.mkdir(path)
                made.insert(0, str(path))
        if not os.path.isdir(folder):
            raise ModelError("cannot be written: expected a folder or nothing", folder)
    except OSError as error:
        _removed(made)
        raise ModelError(f"cannot be written: {error.strerror}", folder) from None
    return made


def _removed(folders: Sequence[str]) -> None:
    """Remove empty folders; what somebody else has put something into stays."""
    for path in folders:
        with suppress(OSError):
            os.rmdir(path)


def normalized_lines(normalize: bool, *paths: str) -> list[str]:
    """Return the notes on files whose rows were divided by their sums."""
    return (
        [f"note: the rows of {path} were divided by their sums" for path in dict.fromkeys(paths)] if normalize else []
    )


def warn(lines: list[str]) -> None:
    """Print lines on standard error."""
    from pufferproof.reports.text import one_line

    for line in lines:
        print(f"pufferproof: {one_line(line)}", file=sys.stderr)


def print_answer(answer: dict[str, Any], lines: list[str], as_json: bool) -> None:
    """Print an answer: one JSON object, or lines of text."""
    from pufferproof.reports.text import one_line

    with _closed_pipe_is_no_answer():
        print(json.dumps(answer) if as_json else "\n".join(map(one_line, lines)), flush=True)


def print_rich(view: Any) -> None:
    """Print a table as wide as the terminal, or 200 columns."""
    from rich.console import Console

    with _closed_pipe_is_no_answer():
        Console(width=None if sys.stdout.isatty() else 200).print(view)
        sys.stdout.flush()


@contextmanager
def _closed_pipe_is_no_answer() -> Iterator[None]:
    """Let a reader that has gone, as `head` does, change nothing of the exit code."""
    try:
        yield
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Let nothing that is still buffered reach a closed or full standard output."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
