"""What the commands share: option types, levels, warnings, and output that is written whole or
not at all.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import was_read
from pufferproof.reports.console.labels import one_line

if TYPE_CHECKING:
    from pufferproof.verify.audit import Verdict

FrameworkFile = Annotated[
    str, typer.Argument(metavar="FRAMEWORK", help="framework file, JSON or TOML")
]
MechanismFile = Annotated[
    str,
    typer.Argument(
        metavar="MECHANISM", help="mechanism file (JSON, TOML, CSV, .npy) or module:function"
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object on standard output")]
CertificateOut = Annotated[
    str | None,
    typer.Option(
        "--certificate", metavar="FILE", help="write a certificate that the kernel has accepted"
    ),
]
Normalize = Annotated[
    bool,
    typer.Option(
        "--normalize", help="divide every row of the mechanism, and of the priors, by its sum"
    ),
]
NormalizePriors = Annotated[
    bool, typer.Option("--normalize", help="divide every row of the priors by its sum")
]
Databases = Annotated[
    str | None,
    typer.Option("--databases", metavar="FILE", help="row labels of a .npy matrix, one per line"),
]
WRITTEN: list[
    str
] = []  # what this command has written, for the message that its answer could not be
_MOST_SECONDS = 1_000_000
TrustCode = Annotated[
    bool, typer.Option("--trust-code", help="permit module:function, which runs that module's code")
]


def parsed_level(text: str | None, option: str = "--epsilon") -> Any:
    """Read a LEVEL option. Raises `ModelError`, naming the option, unless it is a level."""
    from pufferproof.models.numbers.level import Level

    try:
        return None if text is None else Level.parse(text)
    except ModelError as error:
        raise error.within(option) from None


def seconds_from(least: float) -> Callable[[float], float]:
    """Return the check of an option that takes a time: a number of seconds from `least` on, and
    no more than 11 days.
    """

    def check(seconds: float) -> float:
        if not least <= seconds <= _MOST_SECONDS:  # false for nan, too
            raise typer.BadParameter(
                f"expected {least:g} to {_MOST_SECONDS} seconds, found {seconds:g}"
            )
        return seconds

    return check


def exit_code(verdict: "Verdict | None") -> int:
    """Return the exit code of a verdict: 1 for a violated level, 3 for an undecided one, else 0."""
    return 0 if verdict is None else {"VIOLATES": 1, "UNDECIDED": 3}.get(verdict.value, 0)


def write_outputs(
    files: dict[str, bytes],
    *named: str | None,
    inputs: Sequence[str | None],
    folder: str | None = None,
) -> None:
    """Write all files that a command was asked for, or none of them; never over what was read, nor
    two into one.

    What was read are `inputs`, and all that `models/files/inputs.py` read for this command: the
    files that inputs name, too. `folder` is made where it is missing, and removed again where the
    files cannot be written.
    """
    from pufferproof.models.files.outputs import write_all_atomically

    taken = {_identity(path) for path in inputs if path is not None}
    for path in [*filter(None, named), *(path for path in files if path not in named)]:
        if _identity(path) in taken or was_read(path):
            raise ModelError(
                "is read or written by this command already, expected another file", path
            )
        taken.add(_identity(path))
    made = [] if folder is None else make_folder(folder)
    try:
        write_all_atomically(files)
        WRITTEN.extend(files)
    except BaseException:
        _removed(made)
        raise


def _identity(path: str) -> tuple[int, int] | str:
    """Return what the different names of a file have in common: where it is stored, or else
    where it would be.
    """
    try:
        there = os.stat(path)
    except (OSError, ValueError):
        return os.path.realpath(path)
    return there.st_dev, there.st_ino


def make_folder(folder: str) -> list[str]:
    """Make a folder and those it is in, and return what was missing, the innermost first; all or
    none.

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
        [f"note: the rows of {path} were divided by their sums" for path in dict.fromkeys(paths)]
        if normalize
        else []
    )


def priors_json(priors: Sequence[str]) -> dict[str, Any]:
    """Return what an answer says of priors whose rows were divided by their sums: nothing where
    there are none.
    """
    return {"normalized_priors": list(priors)} if priors else {}


def priors_lines(
    priors: Sequence[str], framework: str, certificate: str | None = None
) -> list[str]:
    """Return the notes on priors whose rows were divided by their sums, and on a certificate
    that speaks of them.
    """
    lines = [
        f'note: the rows of prior "{name}" in {framework} were divided by their sums'
        for name in priors
    ]
    if priors and certificate is not None:
        lines.append(
            f"note: the kernel divides no rows of priors: check {certificate} without {framework}"
        )
    return lines


def warn(lines: list[str]) -> None:
    """Print lines on standard error."""
    for line in lines:
        print(f"pufferproof: {one_line(line)}", file=sys.stderr)


def print_answer(answer: dict[str, Any], lines: list[str], as_json: bool) -> None:
    """Print an answer: one JSON object, or lines of text."""
    print(json.dumps(answer) if as_json else "\n".join(map(one_line, lines)), flush=True)


def print_rich(view: Any) -> None:
    """Print a table as wide as the terminal, or 200 columns."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 200).print(view)
