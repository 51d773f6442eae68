"""The command `audit-list`: the audits of a list of files, one JSON object a line."""

import csv
import json
import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Annotated

import typer

from pufferproof.models.errors import DIVIDE, ModelError, PufferproofError, SumError
from pufferproof.models.files.programs import UNTRUSTED, Calls
from pufferproof.models.files.reading import (
    MAX_BYTES,
    bytes_of,
    contents,
    expect_contents,
    forget,
    parse_json,
    reading_csv,
    reading_once,
)
from pufferproof.models.interface.steps import in_order
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.reports.auditing.any_form import read_points, refuse_options
from pufferproof.reports.auditing.audit.command import Decided, Promise, answered, point_audit
from pufferproof.reports.console.options import Code, Normalize, ShareItems
from pufferproof.reports.console.streams import answer_stream, working
from pufferproof.reports.console.telling import exit_code, read
from pufferproof.reports.schemas import audit as schema
from pufferproof.reports.schemas.audit import Audit, AuditLine
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.units import Unit

# Lines --------------------------------------------------------------------------------------------
#
# The lines of a list of files, and what is printed of each: its audit, or its error in its place.

_KEYS = ("framework", "mechanism", "epsilon")
_EXPECTED = "expected a framework, a mechanism and, if any, a level"


@dataclass(frozen=True)
class Line:
    """A line of a list: two files and a level, if it has one of its own; or why it is none."""

    number: int
    framework: str = ""
    mechanism: str = ""
    epsilon: str | None = None
    error: str = ""

    def named(self) -> JsonObject:
        """Return what its answer says of it."""
        names = {"line": self.number, "framework": self.framework, "mechanism": self.mechanism}
        return names | ({} if self.epsilon is None else {"epsilon": self.epsilon})


Audited = Callable[[Line], tuple[Audit, Decision | None]]
Answer = tuple[AuditLine, Decision | None]
AsUnit = Callable[[Line], "Unit"]


def audit_lines_of(
    path: str, epsilon: str | None, audited: Audited, sharing: Sharing | None = None, unit_of: AsUnit | None = None
) -> int:
    """Print the answer of every line of a list, and return the exit code: 2 where a line has an
    error, else that of the verdicts.

    `audited` audits the files of a line, whose level is `epsilon` if it has none; with `sharing`,
    units of work do that.
    """
    lines = [
        line if line.error or line.epsilon is not None else replace(line, epsilon=epsilon) for line in lines_of(path)
    ]
    failed, decisions = 0, set()
    with working("auditing") as say:
        if sharing is None or unit_of is None:
            answers = in_order(partial(answer_of, audited), lines)
        else:
            answers = _by_units(sharing, unit_of, lines)
        for done, (answer, kept) in enumerate(answers, 1):
            print(json.dumps(answer.as_json()), flush=answer_stream().isatty(), file=answer_stream())
            failed += answer.error is not None
            decisions.add(kept)
            say(f"audited {done} of {len(lines)}, {failed} with errors")
    return 2 if failed else exit_code(*decisions)


def _by_units(sharing: Sharing, unit_of: AsUnit, lines: Sequence[Line]) -> Iterator[Answer]:
    """Yield the answers of lines in their order; those that cannot be read are no units."""
    ready: dict[int, Answer] = {}
    places: list[int] = []

    def units() -> "Iterator[Unit]":
        for place, line in enumerate(lines):
            forget()
            if line.error:
                ready[place] = AuditLine(line=line.number, error=line.error), None
                continue
            try:
                unit = unit_of(line)
            except PufferproofError as error:
                ready[place] = AuditLine.model_validate(line.named() | {"error": str(error)}), None
                continue
            places.append(place)
            yield unit

    following = 0
    with opened(sharing) as sweep:
        for number, outcome in sweep.outcomes(units(), len(lines)):
            line = lines[places[number]]
            if isinstance(outcome, list):  # its verdict first
                kept, text = outcome
                answer = AuditLine.model_validate(json.loads(text) | line.named())
                ready[places[number]] = answer, Decision[kept] if kept else None
            else:
                said = {"error": f"{outcome.kind}: {outcome.said}"}
                ready[places[number]] = AuditLine.model_validate(line.named() | said), None
            while following in ready:
                yield ready.pop(following)
                following += 1
    yield from (ready[place] for place in sorted(ready))


def answer_of(audited: Audited, line: Line) -> Answer:
    """Return what is printed of a line, and what is known of its level."""
    forget()
    if line.error:
        return AuditLine(line=line.number, error=line.error), None
    try:
        audit, kept = audited(line)
    except SumError as error:
        remedies = ("--normalize" if remedy == DIVIDE else remedy for remedy in error.remedies)
        return AuditLine.model_validate(line.named() | {"error": str(error.asking(*remedies))}), None
    except PufferproofError as error:
        return AuditLine.model_validate(line.named() | {"error": str(error)}), None
    return AuditLine.model_validate(line.named() | {"audit": audit}), kept


def lines_of(path: str) -> list[Line]:
    """Read a list of files: `.csv`, `.jsonl`, or text with names between spaces, quoted as in a
    shell. Empty lines, and in text those that start with `#`, are left out.

    Raises `ModelError` unless it can be read and has a line.
    """
    try:
        text = bytes_of(path, MAX_BYTES).decode("utf-8-sig", errors="replace")
    except ModelError as error:
        raise error.within(path) from None
    with reading_csv(path):
        lines = list(_rows(path, text))
    if not lines:
        raise ModelError(f"{_EXPECTED} a line, found no line", path)
    return lines


def _rows(path: str, text: str) -> Iterator[Line]:
    if path.endswith(".csv"):
        reader = csv.reader(StringIO(text, newline=""))
        for row in reader:
            cells = [cell.strip() for cell in row]
            head = [cell.lower() for cell in cells] in ([*_KEYS[:2]], [*_KEYS])
            if any(cells) and not (head and reader.line_num == 1):
                yield _of_cells(reader.line_num, cells)
        return
    objects = path.endswith((".jsonl", ".ndjson"))
    for number, line in enumerate(StringIO(text, newline=None), 1):
        if not line.strip() or (not objects and line.lstrip().startswith("#")):
            continue
        if objects:
            yield _of_object(number, line)
            continue
        try:
            yield _of_cells(number, shlex.split(line))
        except ValueError as error:  # a quotation that does not end
            yield Line(number, error=f"{_EXPECTED}: {error}")


def _of_object(number: int, line: str) -> Line:
    try:
        given = parse_json(line)
    except (ValueError, RecursionError, ModelError) as error:
        return Line(number, error=f"expected a JSON object: {error}")
    if not isinstance(given, dict) or not set(_KEYS[:2]) <= set(given) <= set(_KEYS):
        return Line(number, error=f'expected {{"framework", "mechanism"}}, found {shown(given)}')
    level = given.get("epsilon")
    cells = [given["framework"], given["mechanism"], *([] if level is None else [level])]
    if not all(isinstance(cell, str) for cell in cells):
        return Line(number, error=f"expected strings, found {shown(given)}")
    return _of_cells(number, cells)


def _of_cells(number: int, cells: Sequence[str]) -> Line:
    if len(cells) not in (2, 3) or not all(cells[:2]):
        return Line(number, error=f"{_EXPECTED}, found {shown(' '.join(cells))}")
    return Line(number, cells[0], cells[1], (cells[2:] or [""])[0] or None)


# Command ------------------------------------------------------------------------------------------


def audit_list(
    questions: Annotated[
        str,
        typer.Argument(
            metavar="LIST",
            help="file with a framework, a mechanism (a file or module:function) and perhaps a "
            "level on every line (text, .csv, .jsonl)",
        ),
    ],
    decide: Promise,
    share: ShareItems,
    code: Code,
    normalize: Normalize = False,
    as_json: Annotated[  # every command takes it
        bool, typer.Option("--json", help="change nothing: every line is a JSON object already")
    ] = False,
) -> None:
    """Audit the files in every line of LIST, and print one JSON object per line."""
    sharing = share.sharing
    asked = _Lines(decide, normalize, code.calls)
    if sharing == Sharing():
        raise typer.Exit(audit_lines_of(questions, decide.epsilon, asked.audited))
    if code.trust_code:  # which may rest on more than the files that are read
        raise ModelError("cannot be combined with --resume or with sharing lines", "--trust-code")
    raise typer.Exit(audit_lines_of(questions, decide.epsilon, asked.audited, sharing, asked.unit))


@dataclass(frozen=True)
class _Lines:
    """What is asked of every line."""

    decide: Promise
    normalize: bool
    calls: Calls = UNTRUSTED

    def audited(self, line: Line) -> tuple[schema.Audit, Decision | None]:
        """Audit the files of a line, as the command `audit` does."""
        promise = replace(self.decide, epsilon=line.epsilon)
        promise.expect()
        if (points := read_points(line.framework, [line.mechanism])) is not None:
            audit, answer, _ = point_audit(points, promise)
            return answer, audit.kept
        files = read(line.framework, [line.mechanism], self.normalize, calls=self.calls)
        refuse_options(files, promise.only_listed(files))
        decided = Decided.of(files, promise, effort=1, rows=None)
        return answered(decided.fields(self.normalize, False, None)), decided.audit.kept

    def unit(self, line: Line) -> "Unit":
        """Return the audit of a line as a unit of work, which says what the files contain.

        Raises `ModelError` unless they can be read, as the audit of the line does.
        """
        from pufferproof.models.interface.sweeps.units import Unit  # sharing alone needs it

        promise = replace(self.decide, epsilon=line.epsilon)
        promise.expect()
        if read_points(line.framework, [line.mechanism]) is None:
            read(line.framework, [line.mechanism], self.normalize)
        paths = [[path, os.path.abspath(path)] for path in (line.framework, line.mechanism)]
        asked = promise.epsilon, promise.delta, promise.renyi, self.normalize
        return Unit.of(audited_line, paths, contents(), *asked)


def audited_line(
    paths: list[list[str]],
    known: dict[str, str],
    epsilon: str | None,
    delta: str | None,
    renyi: str | None,
    normalize: bool,
) -> list[str]:
    """Audit the files of a line of a list, given by their names there and where they are; known
    are the digests of all that is read.

    Returns: the name of the decision, or nothing, and what is printed of the line.
    """
    forget()
    line = Line(1, paths[0][1], paths[1][1], epsilon)
    asked = _Lines(Promise(epsilon, delta, renyi), normalize)
    with reading_once():
        expect_contents(known)
        answer, kept = answer_of(asked.audited, line)
    printed = answer.as_json()
    for name, place in paths if "error" in printed else []:
        printed["error"] = printed["error"].replace(place, name)
    return [kept.name if kept is not None else "", json.dumps(printed)]
