"""Programs in evidence: the files that they come from, and how others repeat their draws and
compare them with the table that a certificate is about.

`verify/programs/repeating.py` is packed as `draw.py` and repeats them; here is written what it
needs to know, `draws.json`.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Sources
from pufferproof.models.files.reading import digest
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.noise.tables.partial import BoundsTable
from pufferproof.models.numbers.pieces import fraction
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.words import counted
from pufferproof.verify.certificates.bounding import Event
from pufferproof.verify.programs import repeating
from pufferproof.verify.programs.law import Law
from pufferproof.verify.programs.mechanism import ProgramMechanism
from pufferproof.verify.programs.noise import following

Table = Channel | BoundsTable | RecordQuery
_SECONDS = 600
_LINES = 30  # of a file that are shown


def draws_document(
    programs: Sequence[tuple[str, ProgramMechanism, Table]],
    framework: Framework,
    sources: Sources,
    event: Event | None = None,
) -> JsonObject:
    """Return what evidence says of programs: mechanism files with the program and the table of
    each. Counts are still missing. `why` says why draws cannot be repeated.
    """
    known = {"Python": {"version": repeating.python(), "sha256": None}}
    packages = known | {name: repeating.package(name) for name in sorted({*sources.packages, "numpy"})}
    document: JsonObject = {
        "files": {name: digest(content) for name, content in sources.files.items()},
        "packages": packages,
        "why": None,
        "programs": [],
    }
    alphabet = () if framework.records is None else framework.records.alphabet
    try:
        document["programs"] = [_program(*each, alphabet, event) for each in programs]
    except (ModelError, KeyError) as error:  # a label that the law has not
        document["why"] = str(error)
    for program in document["programs"]:
        program["files"] = [*sources.files]
    return document


def _program(
    name: str, derived: ProgramMechanism, table: Table, alphabet: Sequence[str], event: Event | None
) -> JsonObject:
    program, law = derived.program, derived.law
    if not program.compared:
        raise ModelError("--no-agreement was asked for")
    if program.form == "each":
        raise ModelError("records are taken one by one, and the table is of all of them")
    compared = [x for x in law.databases if x in derived.comparison.databases]
    module, _, function = program.name.partition(":")
    argument: Any = program.argument(law.databases[0])
    records = argument.tolist() if hasattr(argument, "tolist") else argument
    call = {
        "records": program.form,
        "alphabet": [*alphabet],
        "read": type(records[0]).__name__ if program.form != "text" and records else "str",
        "arguments": {name: _argument(value) for name, value in program.arguments.items()},
        "named": program.named,
        "sized": program.sized,
        "class": program.is_class,
        "runs": program.runs,
    }
    known: JsonObject = {"mechanism": name, "module": module, "name": function, "call": call}
    known |= {"seed": repeating.SEED, "databases": {x: {} for x in compared}}
    return known | (_noisy(law) if isinstance(table, RecordQuery) else _listed(law, table, event))


def _argument(value: object) -> tuple[str, str]:
    if isinstance(value, Fraction):
        return "fraction", str(value)
    return ("float", repr(float(value))) if isinstance(value, float) else ("json", json.dumps(value))


def _listed(law: Law, table: Channel | BoundsTable, event: Event | None) -> JsonObject:
    """Say which output of a table every output of a program is."""
    names, parts, rest = {label: label for label in law.outputs}, list[object](), None
    if event is not None:
        names = dict.fromkeys(event.outputs, table.outputs[0])
        by_label = {label: value for value, label in law.values.items()}
        parts = [
            [repeating.value_json(by_label[label]), _end(low), _end(high), table.outputs[0]]
            for label, low, high in event.parts
        ]
    rest = next((each for each in table.outputs if each not in names.values()), None)
    return {
        "outputs": [
            [repeating.value_json(value), names[label]] for value, label in law.values.items() if label in names
        ],
        "parts": parts,
        "rest": rest,
        "event": event is not None,
    }


def _end(end: object) -> float | None:
    return None if end is None else float(fraction(end))


def _noisy(law: Law) -> JsonObject:
    """Say which numbers of a program have noise of their own."""
    (pattern,) = law.values
    ways = [way and (way.place, float(way.times), float(way.shift)) for way in following(law.numbers)]
    value = repeating.value_json(pattern)
    return {"outputs": [], "parts": [], "rest": None, "event": False} | {"pattern": value, "following": ways}


def with_counts(program: Path, document: JsonObject) -> JsonObject:
    """Return what evidence says of programs with the counts of draws by a `program` (`repeating.py`), in
    a folder with its own files: a process draws that has these alone, and installed packages.

    Raises `ModelError` if draws are not as the table has it.
    """
    if document["why"] is not None or not document["programs"]:
        return document
    try:
        done = subprocess.run(
            [sys.executable, "-I", program.name],
            cwd=program.parent,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return document | {"why": f"they take more than {_SECONDS} seconds"}
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2][:200]
        return document | {"why": f"the files that are packed do not run alone: {reason}"}
    programs = []
    for known, answer in zip(document["programs"], json.loads(done.stdout), strict=True):
        if answer["differs"] is not None:
            raise ModelError(
                f"does not draw by the table of its law: {answer['differs']}", f"{known['module']}:{known['name']}"
            )
        if answer["why"] is not None:
            return document | {"why": answer["why"]}
        databases = {x: {"counts": counts} for x, counts in answer["counts"].items()}
        programs.append(known | {"draws": answer["draws"], "databases": databases})
    return document | {"programs": programs}


def drawn_sentence(document: JsonObject) -> str:
    """Say how draws are repeated, or why they cannot be."""
    if document["why"] is not None:
        return f"Draws of the program cannot be repeated: {document['why']}."
    count = sum(each["draws"] * len(each["databases"]) for each in document["programs"])
    return (
        f"{counted(count, 'draw')} of the program agree with the table: python3 -I check.py --draw "
        "repeats them. It needs NumPy, and runs the packed code."
    )


def source_lines(files: Mapping[str, bytes], places: Iterable[str]) -> list[tuple[str, str, list[str]]]:
    """Return of every file its name, its hash, and the lines at which paths of a program chose.

    >>> source_lines({"a.py": b"x = 1\\ny = 2\\n"}, ["a.py:2", "b.py:1"])[0][2]
    ['2  y = 2']
    """
    chosen = dict.fromkeys(places)
    found = []
    for name, content in files.items():
        own = PurePosixPath(name).name
        lines = content.decode("utf-8", "replace").splitlines()
        numbers = [k for k in range(1, len(lines) + 1) if f"{own}:{k}" in chosen]
        shown = [f"{k}  {lines[k - 1].strip()}" for k in numbers[:_LINES]]
        more = [f".. and {len(numbers) - _LINES} more lines"] if len(numbers) > _LINES else []
        found.append((name, digest(content), [*shown, *more]))
    return found
