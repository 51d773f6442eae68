"""The command line: every command of the table is imported when it is run.

Exit codes: 0 done, 1 a level is violated or a certificate refused, 2 misuse or bad input (one line
on standard error, nothing on standard output), 3 undecided.
"""

import atexit
import errno
import os
import re
import sys
from collections.abc import Sequence
from itertools import zip_longest
from typing import Annotated, Any

import typer

from pufferproof import __version__
from pufferproof.models.errors import (
    DIVIDE,
    MissingPackageError,
    ModelError,
    PufferproofError,
    SumError,
    SweepError,
    lacks,
    missing_package,
)
from pufferproof.models.files.reading import reading_once
from pufferproof.models.numbers.text import shown
from pufferproof.reports.commands import ALSO, COMMANDS, GROUPS, REPLACED
from pufferproof.reports.console.labels import one_line
from pufferproof.reports.console.lazy import LazyGroup, misused
from pufferproof.reports.console.outputs import WRITTEN, allow_replacing
from pufferproof.reports.console.streams import (
    GuardedStream,
    end_answer,
    guarded,
    keep_answer,
    open_missing,
    print_error,
)

# ClickException, which typer does not export
_Click: type[Any] = typer.BadParameter.__bases__[0].__bases__[0]
_NUMBER_OR_NONE = ("--zcdp", "--gdp")  # of audit: decide a number, or find the smallest
_QUIET = ("--quiet", "-q")
_A_NUMBER = re.compile(r"-?[0-9.][0-9./,eE+-]*")
_INTERRUPTED = 130
_UNDECIDED = 3
_LONGEST_MESSAGE = 600
_NO_FILES = "expected more open files (raise `ulimit -n`, or fewer --jobs)"
_NO_PROCESSES = "expected room for more processes (fewer --jobs)"
_NO_DISK = "expected room for temporary files (TMPDIR says where)"
_NO_ROOM = {  # what the machine lacks, and what to do
    errno.EMFILE: _NO_FILES,
    errno.ENFILE: _NO_FILES,
    errno.EAGAIN: _NO_PROCESSES,
    errno.ENOMEM: _NO_PROCESSES,
    errno.ENOSPC: _NO_DISK,
    errno.EDQUOT: _NO_DISK,
}


class _Commands(LazyGroup):
    groups = GROUPS
    replaced = REPLACED
    also = ALSO


app = typer.Typer(
    name="pufferproof",
    cls=_Commands,
    help="Compute exactly what data releases reveal about one person when records are correlated (Pufferfish privacy).",
    epilog="Run `pufferproof COMMAND --help` for the options of a command. Exit codes: 0 done, 1 a "
    "level is violated or a certificate refused, 2 bad input, 3 undecided.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _top(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version")] = False,
    quiet: Annotated[bool, typer.Option(*_QUIET, help="print only answers and errors; may follow COMMAND")] = False,
) -> None:
    if quiet and isinstance(sys.stderr, GuardedStream):
        sys.stderr.quiet = True
    if version:
        print(f"pufferproof {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: one line on standard error and code 2 for every misuse."""
    open_missing()
    kept = keep_answer()
    code = _run(sys.argv[1:] if arguments is None else list(arguments))
    if kept:  # what a user's module prints as the interpreter ends is no answer
        atexit.register(end_answer)
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    """Run a command with guarded streams. The exit code is that of the answer, or 2 if its text
    cannot be written: then nobody has the answer.
    """
    WRITTEN.clear()
    allow_replacing(False)
    with guarded() as output:
        code = _outcome(arguments, output)
        output.flush()
        if output.failure is None:
            return code
        written = f"; written: {', '.join(WRITTEN)}" if WRITTEN else ""
        return _fail(f"standard output cannot be written: {output.failure}{written}")


def _outcome(arguments: list[str], output: GuardedStream) -> int:
    if null := [word for word in arguments if "\0" in word]:  # of who calls `main`
        return _fail(f"expected arguments without a null byte, found {shown(null[0])}")
    try:
        with reading_once():
            words = _with_empty_values(_quiet_first(arguments))
            code = app(words, prog_name="pufferproof", standalone_mode=False)
    except SumError as error:
        return _fail(str(_with_options(error, arguments)))
    except SweepError as error:
        return _fail(str(error), _UNDECIDED)
    except MissingPackageError as error:
        return _fail(f"{_command_of(arguments)}: {error}")
    except PufferproofError as error:
        return _fail(str(error))
    except _Click as error:
        return _fail(misused(error, arguments))
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", _INTERRUPTED)
    except Exception as error:
        if _of_interrupt(error):
            output.drop()
            return _fail("interrupted", _INTERRUPTED)
        if os.environ.get("PUFFERPROOF_TRACEBACK"):
            raise
        output.drop()
        return _fail(_broken(error, arguments))
    if code == _INTERRUPTED:
        return _fail("interrupted", _INTERRUPTED)
    return code if isinstance(code, int) else 0


def _of_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error: Python 3.11 wraps it where a class is made."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _broken(error: Exception, arguments: Sequence[str]) -> str:
    """Return what is said where a command breaks: the machine has too little room for it, or it is
    a bug of ours, with a code that says nothing of a mechanism.
    """
    if isinstance(error, ImportError) and "failed to map segment" in str(error):
        error = MemoryError("a library cannot be loaded")
    if isinstance(error, MemoryError):
        said = f"{_command_of(arguments)}: expected a question that fits in memory, {lacks(error)}"
        return f"{said}; ask for less, or use a machine with more"
    if isinstance(error, ModuleNotFoundError) and (missing := missing_package(error)):
        return f"{_command_of(arguments)}: {missing}"
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return f"{_command_of(arguments)}: {_NO_ROOM[error.errno]}: {error.strerror}"
    where = "(PUFFERPROOF_TRACEBACK=1 shows where)"
    return f"internal error: {type(error).__name__}: {error} {where}"


def _quiet_first(arguments: list[str]) -> list[str]:
    """Return the arguments with `--quiet` where it is read, also if it was given to the command.

    >>> _quiet_first(["audit", "f.json", "-q"]), _quiet_first(["audit", "--", "-q"])
    (['--quiet', 'audit', 'f.json'], ['audit', '--', '-q'])
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    others = [argument for argument in arguments[:end] if argument not in _QUIET]
    return arguments if len(others) == end else ["--quiet", *others, *arguments[end:]]


def _with_empty_values(arguments: list[str]) -> list[str]:
    """Return the arguments of `audit` with an empty value for options whose number is left out."""
    if _command_of(arguments) != "audit":
        return arguments
    for option in _NUMBER_OR_NONE:
        if f"{option}=" in arguments:
            raise ModelError("expected a number, or the option alone, found nothing", option)
    found = []
    for argument, after in zip_longest(arguments, arguments[1:]):
        alone = argument in _NUMBER_OR_NONE and not _A_NUMBER.fullmatch(after or "")
        found.append(f"{argument}=" if alone else argument)
    return found


def _with_options(error: SumError, arguments: Sequence[str]) -> SumError:
    """Return the error with the options of the command instead of Python arguments."""
    name = _command_of(arguments)
    options = COMMANDS[name].command(name).params if name in COMMANDS else []
    normalize = any("--normalize" in option.opts for option in options)
    option = "--normalize" if normalize else None
    remedies = [option if remedy == DIVIDE else remedy for remedy in error.remedies]
    return error.asking(*filter(None, remedies))


def _command_of(arguments: Sequence[str]) -> str:
    return next((name for name in arguments if not name.startswith("-")), "")


def _fail(message: str, code: int = 2) -> int:
    text = one_line(" ".join(message.split()))
    short = text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]} ..."
    print_error(short)
    return code
