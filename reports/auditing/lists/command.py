"""The command `audit-list`: the audits of a list of files, one JSON object a line."""

import json
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import contents, expect_contents, forget, reading_once
from pufferproof.models.files.programs.calling import UNTRUSTED, Calls
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.reports.auditing.any_form import refuse_options
from pufferproof.reports.auditing.audit.decided import Decided, point_audit
from pufferproof.reports.auditing.audit.options import Promise
from pufferproof.reports.auditing.lists.lines import Line, answer_of, audit_lines_of
from pufferproof.reports.auditing.points.reading import read_points
from pufferproof.reports.console.options import Code, Normalize, ShareItems
from pufferproof.reports.console.question import read
from pufferproof.reports.schemas import audit as schema
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.units import Unit


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
        return decided.answer(self.normalize, False, None), decided.audit.kept

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
