"""What a command says: notes and warnings on standard error, the answer on standard output, and its
exit code.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.files.frameworks import read_bounded, read_listed
from pufferproof.models.files.mechanisms import channel_from, given_in
from pufferproof.models.files.programs import (
    UNTRUSTED,
    Calls,
    LibraryFile,
    Program,
    expect_used,
    is_callable,
    read_code,
)
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences, Words
from pufferproof.models.files.question import read as read_files
from pufferproof.models.files.reading import Loaded, hashes, in_file
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, Query
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.reports.console.labels import cell_width, one_line, visible
from pufferproof.reports.console.streams import answer_stream, columns_of, print_error, print_lines
from pufferproof.verify.audit import law_alone, lawful
from pufferproof.verify.audit.decide import of_one_kind
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from pufferproof.models.files.question import Described
    from pufferproof.reports.schemas.values import Output
    from pufferproof.verify.programs.mechanism import ProgramMechanism

_USUAL, _WIDEST = 200, 1_000  # columns of a table in a file


def exit_code(*answers: Decision | None) -> int:
    """Return the exit code of answers, or None if nothing was asked: 1 where something fails, else
    3 where something is undecided, else 0.
    """
    if Decision.FAILS in answers:
        return 1
    return 3 if Decision.UNDECIDED in answers else 0


def normalized_lines(normalize: bool, *paths: str) -> list[str]:
    """Return the notes on files whose rows were divided by their sums."""
    return (
        [f"note: the rows of {path} were divided by their sums" for path in dict.fromkeys(paths)] if normalize else []
    )


def priors_json(priors: Sequence[str]) -> JsonObject:
    """Return what an answer says of priors whose rows were divided by their sums: nothing where
    there are none.
    """
    return {"normalized_priors": list(priors)} if priors else {}


def classes_lines(framework: Framework) -> list[str]:
    """Say how an answer about mechanisms within budgets stands to classes of chains."""
    if not framework.classes:
        return []
    return [
        "note: the priors are classes of chains; the mechanisms come from a search at some chains "
        "and keep their budgets for every chain; the witness names a chain"
    ]


def priors_lines(priors: Sequence[str], framework: str, certificate: str | None = None) -> list[str]:
    """Return the notes on priors whose rows were divided by their sums, and on a certificate
    that speaks of them.
    """
    lines = [f'note: the rows of prior "{name}" in {framework} were divided by their sums' for name in priors]
    if priors and certificate is not None:
        lines.append(f"note: the kernel divides no rows of priors: check {certificate} without {framework}")
    return lines


def tell(
    answer: "Output | Callable[[], Output]",
    lines: list[str],
    notes: list[str],
    as_json: bool,
    view: "RichTable | None" = None,
    code: int = 0,
    annotated: str | None = None,
) -> NoReturn:
    """Print notes on standard error and the answer on standard output, a table below its lines,
    and end the command with an exit code. An answer that has to be made first is made for JSON
    alone. `annotated`: the file that an annotation of a workflow is about, below.
    """
    warn(notes)
    print_answer(answer, lines, as_json)
    if annotated is not None:
        print(annotation(annotated, lines, code), flush=True, file=answer_stream())
    if view is not None and not as_json:
        print_rich(view)
    raise typer.Exit(code)


def annotation(path: str, lines: Sequence[str], code: int) -> str:
    """Return the command of GitHub's workflows that shows lines beside a file: an error of what
    fails, a warning of what is undecided, else a notice.

    >>> annotation("m.json", ["VIOLATES 1 nat", "100% certain"], 1)
    '::error file=m.json,title=VIOLATES 1 nat::100%25 certain'
    """
    kind = {1: "error", 3: "warning"}.get(code, "notice")
    title, *message = map(one_line, lines)
    place, head = _escaped(visible(path), "\r\n:,"), _escaped(title, "\r\n:,")
    text = _escaped("\n".join(message), "\r\n")
    return f"::{kind} file={place},title={head}::{text}"


def _escaped(text: str, letters: str) -> str:
    for letter in "%" + letters:
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


def warn(lines: list[str]) -> None:
    """Print lines on standard error, unless the command was asked to be quiet."""
    for line in () if getattr(sys.stderr, "quiet", False) else lines:
        print_error(one_line(line))


def print_answer(answer: "Output | Callable[[], Output]", lines: list[str], as_json: bool) -> None:
    """Print an answer: one JSON object, or lines of text."""
    if as_json:
        shown = answer() if callable(answer) else answer
        print(json.dumps(shown.as_json()), file=answer_stream())
    else:
        print_lines(*map(one_line, lines))
    answer_stream().flush()


def print_rich(view: "RichTable") -> None:
    """Print a table no wider than the terminal: if cells go over several lines they break between
    words, with lines between rows; if words are wider than that, a paragraph for every row has the
    title of each column before its cell. Elsewhere a table is as wide as it is, 200 columns at
    least.
    """
    from rich.console import Console
    from rich.measure import Measurement

    stream = answer_stream()
    widest = Console(file=stream, width=_WIDEST)
    needed = Measurement.get(widest, widest.options, view).maximum
    columns = columns_of(stream)
    if columns is None or needed <= columns:
        widest.width = columns or max(needed, _USUAL)
    elif (widths := _widths(view, columns)) is not None:
        view.show_lines, widest.width = True, columns
        for column, width in zip(view.columns, widths, strict=True):
            column.width = width
    else:
        # a paragraph for every row, which breaks between cells and ends without a semicolon
        titles, *rows = zip(*_cells(view), strict=True)
        if view.title:
            print_lines(str(view.title))
        for row in rows:
            named = [f"{title} {cell};" for title, cell in zip(titles, row, strict=True) if cell]
            wrapped = ["-"]
            for part in named:
                if len(wrapped[-1]) > 2 and cell_width(f"{wrapped[-1]} {part}") > columns:
                    wrapped.append(" ")
                wrapped[-1] += f" {part}"
            print_lines(*wrapped[:-1], wrapped[-1].removesuffix(";"))
        return None
    return widest.print(view)


def _widths(view: "RichTable", columns: int) -> list[int] | None:
    """Share the columns of a terminal out to those of a table: no word breaks, and what is left
    goes to cells that would break, the narrowest first. Return None if there are too few.
    """
    cells = _cells(view)
    whole = [max(map(cell_width, column)) for column in cells]
    widths = [max(cell_width(word) for word in " ".join(column).split()) for column in cells]
    left = columns - 3 * len(cells) - 1 - sum(widths)
    if left < 0:
        return None
    for number in sorted(range(len(cells)), key=lambda number: whole[number] - widths[number]):
        more = min(left, whole[number] - widths[number])
        widths[number] += more
        left -= more
    return widths


def _cells(view: "RichTable") -> list[list[str]]:
    """Return the texts of every column, its title first."""
    from rich.text import Text

    return [[Text.from_markup(str(cell)).plain for cell in (column.header, *column.cells)] for column in view.columns]


# What commands are asked, as files, with the laws of programs in their place: several commands take a framework and
# one mechanism, databases and outputs listed.


@dataclass(frozen=True)
class Question:
    """A framework and a mechanism as they were read; `normalize`: rows were to be divided by their
    sums.
    """

    framework: Loaded[Framework]
    mechanism: Loaded[Channel]
    normalize: bool

    @classmethod
    def read(
        cls, framework: str, mechanism: str, normalize: bool, databases: str | None, calls: Calls, classes: bool = False
    ) -> "Question":
        """Read both. Raises `ModelError` where a file is malformed, or too much to list, and for
        classes of chains unless the command takes them.
        """
        space = (read_bounded if classes else read_listed)(framework, normalize)
        listed = space.value.of_laws()
        channel = read_channel(mechanism, listed, normalize, databases, calls)
        return cls(space, channel, normalize)

    @property
    def known(self) -> JsonObject:
        """What an answer says of the files."""
        inputs = hashes(framework=self.framework, mechanism=self.mechanism)
        return {"inputs": inputs, **priors_json(self.framework.value.normalized)}

    def answer(self, fields: JsonObject, **more: object) -> JsonObject:
        """Return an answer with more fields, and with what it says of the files."""
        return with_programs(fields | more | self.known, self.mechanism)

    def notes(self, certificate: str | None = None) -> list[str]:
        """Say which rows were divided by their sums."""
        priors = self.framework.value.normalized
        return [
            *normalized_lines(self.normalize, self.mechanism.path),
            *priors_lines(priors, self.framework.path, certificate),
        ]


@dataclass(frozen=True)
class ProgramFile(Loaded[Any]):
    """The law of a program that was read from a file, `derived` as a mechanism."""

    derived: "ProgramMechanism | None" = None


def with_programs(answer: JsonObject, *files: Loaded[Any] | None) -> JsonObject:
    """Return an answer whose trust names the programs among the files it is about, each once."""
    derived = [each.derived for each in files if isinstance(each, ProgramFile)]
    words = [each.trust for each in derived if each is not None]
    return answer | {"trust": [*dict.fromkeys([*answer["trust"], *words])]} if words else answer


def read(
    framework: "str | Path | Described",
    mechanisms: Sequence[str | Path],
    normalize: bool = False,
    databases: str | Path | None = None,
    calls: Calls = UNTRUSTED,
    runs: int = 1,
    length: int | None = None,
) -> Listed | Sequences | Words | NoisyReleases:
    """Read a framework and mechanisms, as `models.files.question.read` does."""
    alone = partial(_alone, calls) if calls.records == "each" else None
    try:
        files = read_files(framework, mechanisms, normalize, databases, calls, runs, length, alone)
    except TooLargeError as error:
        if alone is not None or not any(is_callable(str(path)) for path in mechanisms):
            raise
        count = error.what.partition(":")[0]
        raise TooLargeError(
            f"{count}: a program is run on each; if it treats records one by one, write it for one "
            "record and pass --records each",
            error.where,
        ) from None
    if not isinstance(files, Listed):
        return files
    found: dict[str, Any] = {}
    for each in files.mechanisms:
        if each.path not in found:
            found[each.path] = with_law(files.framework.value.plain, each)
    found = dict(zip(found, map(_listed, found.values(), of_one_kind(list(found.values())))))
    with_laws = tuple(found[each.path] for each in files.mechanisms)
    if all(isinstance(each.value, Query | NoisyQueries) for each in with_laws):
        return NoisyReleases(files.framework, with_laws)
    return replace(files, mechanisms=with_laws)


def _listed(loaded: Any, derived: Any) -> Any:
    """Return the file of a program whose outputs were listed, others as they are."""
    if derived is loaded:
        return loaded
    return ProgramFile(derived.value, loaded.path, loaded.sha256, loaded.named, derived)


def read_channel(
    path: str | Path,
    framework: Framework,
    normalize: bool = False,
    databases: str | Path | None = None,
    calls: Calls = UNTRUSTED,
) -> Loaded[Channel]:
    """Read a mechanism as `read_mechanism` does. Raises `ModelError` unless its outputs can be
    listed, with rational probabilities.
    """
    expect_used(calls, [str(path)])
    given = channel_from(given_in(path), framework, normalize, databases, calls)
    loaded = with_law(framework, given)
    if not isinstance(loaded.value, Channel):
        why = "its probabilities are not rational"
        if isinstance(loaded.value, PartialTable):
            why = "it releases numbers that are drawn, or some of its paths were not run"
        raise ModelError(f"{why}: audit and compose take it", loaded.path)
    return loaded


def _alone(calls: Calls, path: str, records: Records) -> Loaded[LocalMechanism]:
    """Read a program of one record as a mechanism given record by record."""
    with in_file(path):
        code = read_code(path, calls)
        if not isinstance(code.value, Program):
            raise ModelError("needs a program of (record, rng)", "--records each")
        program = code.value.on(records)
    derived = law_alone(program).compare()
    return ProgramFile(derived.value, code.path, code.sha256, code.named, derived)


def with_law(framework: Framework, loaded: Loaded[Any]) -> Loaded[Any]:
    """Return a file with the law of its program in its place, others as they are."""
    if isinstance(loaded, LibraryFile) and isinstance(loaded.value, LocalMechanism):
        return replace(loaded, value=loaded.value.channel())
    if not isinstance(loaded.value, Program):
        return loaded
    derived = lawful(framework, loaded.value).compare()
    local = isinstance(derived.value, LocalMechanism)
    value = derived.value.channel() if local else derived.value
    return ProgramFile(value, loaded.path, loaded.sha256, loaded.named, derived)
